/** The command-line library, tamed: it prints through `Io`, throws instead of exiting, and knows our exit codes. */

import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { MemuError } from '../util/errors.ts'
import { packageFile } from '../util/package-root.ts'
import type { Io } from './io.ts'
import { retrieveHelp } from './retrieve/help.ts'

/** The exit code of a command that did its work and still has something to say: a check failed, a session could not be read. */
export type SetExitCode = (code: number) => void

export interface ProgramText {
  readonly name: string
  readonly description: string
  /** Below the list of commands: examples, files, exit codes. */
  readonly epilogue: string
  /** Names that people try here for what is elsewhere or called otherwise, each with the sentence that leads there. */
  readonly elsewhere: Readonly<Record<string, string>>
}

/**
 * Builds a program, runs it on the arguments and returns the exit code. Each function of `commands` adds one command.
 * Errors: `usage` (exit 2), and what a command throws.
 */
export async function runProgram(
  text: ProgramText,
  io: Io,
  commands: readonly ((program: Command, exit: SetExitCode) => void)[],
): Promise<number> {
  let code = 0
  const program = tamed(new Command(text.name), io)
    .description(text.description)
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', `\n${text.epilogue.trim()}`)
  program
    .command('retrieve <query>')
    .description('print what memory holds about a query')
    .configureHelp({
      formatHelp: () => retrieveHelp(text.name),
    })
  for (const add of commands) {
    add(program, (wanted) => {
      code = wanted
    })
  }
  if (io.args.length === 0) {
    io.err(program.helpInformation())
    return 2
  }
  const isCommand = (name = ''): boolean => name === 'help' || program.commands.some((command) => command.name() === name)
  // The library answers `help` for what it does not know with the whole help and an error without words.
  const args = io.args[0] === 'help' && io.args[1] !== undefined && !isCommand(io.args[1]) ? io.args.slice(1) : io.args
  const [first = ''] = args
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    const known = isCommand(first)
    const elsewhere = known || !Object.hasOwn(text.elsewhere, first) ? undefined : text.elsewhere[first]
    throw usage(
      error.message,
      elsewhere ?? (known ? `${text.name} ${first} --help shows its options.` : `${text.name} --help shows the commands and options.`),
    )
  }
  return code
}

/** An option's value as a whole number of at least `least`. */
export function wholeNumber(option: string, least = 1): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (Number.isInteger(number) && number >= least) return number
    throw new MemuError('usage', `${option} is ${JSON.stringify(value)}; it has to be a whole number of at least ${least}.`, { exit: 2 })
  }
}

export function version(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version
}

function tamed(program: Command, io: Io): Command {
  return program.exitOverride().configureOutput({
    writeOut: io.out,
    writeErr: io.err,
    outputError: () => {}, // Printed by `run`, with the hint and under `--json`.
    getOutHelpWidth: () => Math.min(process.stdout.columns || 100, 100),
    getOutHasColors: io.colour,
  })
}

/** `error: unknown command 'x'`, and on a line of its own perhaps `(Did you mean y?)`, as one of our errors. */
function usage(message: string, next: string): MemuError {
  const [first = '', ...rest] = message
    .replace(/^error: /, '')
    .trim()
    .split('\n')
  const suggestion = rest.map((line) => `${line.replace(/^\(|\)$/g, '')} `).join('')
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}${/[.?!]$/.test(first) ? '' : '.'}`
  return new MemuError('usage', sentence, { hint: `${suggestion}${next}`, exit: 2 })
}
