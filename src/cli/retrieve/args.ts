/** The arguments of `retrieve`, parsed by hand: a command-line library would cost more than the search itself. */
import { MemuError } from '../../util/errors.ts'

export type Format = 'json' | 'text' | 'markdown'

export interface RetrieveArgs {
  /** `-` means standard input. */
  readonly query: string
  readonly format: Format
  readonly limit?: number
  readonly track?: string
}

const FORMATS: readonly string[] = ['json', 'text', 'markdown']
/** More would no longer be an answer; `list-files` prints everything. */
const MAX_LIMIT = 100
/** What looks like an option. Any other text is the query, also `- fix the build` or `--x is refused by npm`. */
const OPTION = /^(?:-[a-z]|--[a-z][a-z-]*)(?:=|$)/i

/** Undefined where help is asked for. Errors: `usage` (exit 2). */
export function parseRetrieveArgs(args: readonly string[]): RetrieveArgs | undefined {
  const words: string[] = []
  let format: Format = 'json'
  let limit: number | undefined
  let track: string | undefined
  for (let at = 0; at < args.length; at++) {
    const argument = args[at]!
    if (argument === '--') {
      words.push(...args.slice(at + 1))
      break
    }
    if (!OPTION.test(argument)) {
      words.push(argument)
      continue
    }
    const equals = argument.indexOf('=')
    const name = equals < 0 ? argument : argument.slice(0, equals)
    const value = (): string => {
      const found = equals < 0 ? args[++at] : argument.slice(equals + 1)
      if (found === undefined || found === '') throw usage(`${name} needs a value.`)
      return found
    }
    if (name === '--help' || name === '-h') return undefined
    else if (name === '--json') format = 'json'
    else if (name === '--format') format = parseFormat(value())
    else if (name === '--limit') limit = parseLimit(value())
    else if (name === '--track') track = value()
    else throw usage(`Unknown option ${name}.`, 'Where this is the query itself, put -- before it.')
  }
  if (words.length === 0)
    throw usage('The query is missing.', 'Example: retrieve "how do we deploy". A single - reads it from standard input.')
  return { query: words.join(' '), format, ...(limit === undefined ? {} : { limit }), ...(track === undefined ? {} : { track }) }
}

function parseFormat(value: string): Format {
  if (FORMATS.includes(value)) return value as Format
  throw usage(`--format is ${JSON.stringify(value)}; it can be ${FORMATS.join(', ')}.`)
}

function parseLimit(value: string): number {
  const limit = Number(value)
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw usage(`--limit is ${JSON.stringify(value)}; it can be 1 to ${MAX_LIMIT}.`)
}

function usage(message: string, hint = 'retrieve --help shows the options.'): MemuError {
  return new MemuError('usage', message, { hint, exit: 2 })
}
