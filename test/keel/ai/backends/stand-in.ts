/** A program that stands in for an agent: a small Node.js script, executable, which tells what it was given. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../../helpers/temporary.ts'

export interface StandIn {
  /** The folder of the program, for PATH. */
  readonly folder: string
  /** What each run was given, in order. */
  runs(): {
    readonly args: string[]
    readonly cwd: string
    readonly inside: string[]
    readonly input: string
    readonly env: Record<string, string>
  }[]
}

/** `body` runs after the input was read to its end; it sees `args` and `input`. */
export function standIn(name: string, body: string): StandIn {
  const folder = temporaryFolder()
  const record = join(folder, 'runs.jsonl')
  const script = `#!/usr/bin/env node
const fs = require('node:fs')
const args = process.argv.slice(2)
const inside = fs.readdirSync('.')
const input = fs.readFileSync(0, 'utf8')
fs.appendFileSync(${JSON.stringify(record)}, JSON.stringify({ args, cwd: process.cwd(), inside, input, env: process.env }) + '\\n')
const say = (value) => process.stdout.write(typeof value === 'string' ? value : JSON.stringify(value) + '\\n')
${body}
`
  writeFileSync(join(folder, name), script)
  chmodSync(join(folder, name), 0o755)
  return {
    folder,
    runs: () =>
      existsSync(record)
        ? readFileSync(record, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
  }
}
