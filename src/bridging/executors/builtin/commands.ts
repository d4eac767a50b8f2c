/** Finds in a session's tool records the commands that failed and the ones that then worked. */
import type { Slice, ToolLine } from '../slice-reader.ts'
import { mayHoldSecret } from './secrets.ts'

export interface Fix {
  /** The command that failed, and the most telling line that it printed. */
  readonly command: string
  readonly error: string
  /** What was run instead or in between, the command that worked last. */
  readonly steps: readonly string[]
  readonly at?: string
}

interface Run {
  readonly command: string
  readonly failed: boolean
  readonly output: string
  readonly at?: string
  /** Files were edited since the run before: then a success proves nothing about commands. */
  readonly afterEdit: boolean
}

/** How many runs after a failure its fix is looked for. */
const WINDOW = 12
const MOST_STEPS = 4
const LONGEST_COMMAND = 200
/** Runs that are kept while reading; older ones are out of every window. */
const KEPT_RUNS = 64

const SHELL = /bash|shell|exec|terminal|command/i
const EDIT = /edit|write|patch|str_replace|notebook/i
const FAILED = /^(?:Process exited with code|Exit code:?|exit status) [1-9]/im
const READ_ONLY =
  /^(?:ls|cat|head|tail|less|grep|rg|find|fd|pwd|echo|printf|which|type|env|printenv|ps|top|wc|file|stat|tree|du|df|date|whoami|uname|jq|diff|true|history|man|sed -n|awk|git (?:status|log|diff|show|branch|remote|rev-parse|blame|ls-files)|docker (?:ps|logs|images|inspect)|kubectl (?:get|describe|logs)|npm (?:ls|view|config get|outdated)|node -v|\S+ --version|\S+ --help|\S+ -h(?!\s*\S)|\S+ version)\b/
const DANGEROUS =
  /\brm\s+-\w*[rf]|\bgit (?:reset --hard|push .*--force|push -f|clean|checkout -- )|\b(?:drop|truncate)\s+(?:table|database)|\bkubectl delete|\bdocker (?:system|volume|container|image) (?:prune|rm)|\bmkfs|\bdd if=|\bchmod -R|\bchown -R|\bsudo\b(?! (?:-\w+ )*(?:apt|apt-get|dnf|yum|apk|pacman|zypper|brew|snap|port) (?:-\w+ )*(?:install|add|-S)\b)|\bkill(?:all)?\b|\|\s*(?:ba|z)?sh\b|>\s*\/(?:etc|dev)|--no-verify|--insecure|NODE_TLS_REJECT/i
/** Lines that name the error itself. */
const NAMED =
  /\b(?:E[A-Z]{4,}|ERR[_A-Z0-9]{2,}|\w*Error:|\w*Exception:|fatal:|error:|command not found|permission denied|no such file|cannot find|could not|not installed)/i
const TELLING =
  /error|fail|fatal|cannot|can't|could not|couldn't|not found|denied|refused|unable|missing|no such|exception|undefined|expected|required|invalid|unsupported|conflict|locked|unknown|unrecognized|timed? ?out|\bERR|\bE[A-Z]{4,}/i
const NOT_TELLING =
  /^(?:PASS\b|FAIL\b|ERROR collecting|[=_-]{3,}|exit code|process exited|exit status|output:|\s*at |command failed|npm (?:err!|error) (?:code|errno|a complete log|lifecycle)|make: \*\*\*)|elifecycle|traceback/i

/** The fixes of a session, in order; each pair of command and error once. */
export async function findFixes(slice: Slice): Promise<Fix[]> {
  const fixes = new Map<string, Fix>()
  const recent: Run[] = []
  for await (const run of runs(slice)) {
    const fix = run.failed ? undefined : fixEndingWith(run, recent)
    if (fix !== undefined) fixes.set(`${fix.command}\n${fix.error}`, fix)
    recent.push(run)
    if (recent.length > KEPT_RUNS) recent.shift()
  }
  return [...fixes.values()]
}

async function* runs(slice: Slice): AsyncGenerator<Run> {
  // Results carry no id here; they come in the order of their calls.
  const open: ToolLine[] = []
  let edited = false
  for await (const line of slice.lines) {
    if (line.role !== 'tool') continue
    if (line.part === 'call') {
      open.push(line)
      continue
    }
    const at =
      line.tool === undefined
        ? 0
        : Math.max(
            0,
            open.findIndex((call) => call.tool === line.tool),
          )
    const [call] = open.splice(at, 1)
    if (call === undefined) continue
    if (EDIT.test(call.tool ?? '') || call.text.startsWith('*** Begin Patch')) edited = true
    const command = SHELL.test(call.tool ?? '') ? plainCommand(call.text) : undefined
    if (command === undefined) continue
    const failed = line.failed === true || FAILED.test(line.text.slice(0, 400))
    yield { command, failed, output: line.text, afterEdit: edited, ...(line.at === undefined ? {} : { at: line.at }) }
    edited = false
  }
}

/** The command as a person would repeat it: without the change of directory and the trimming of output. Undefined for scripts. */
function plainCommand(text: string): string | undefined {
  const command = text
    .trim()
    .replace(/^cd \S+ *(?:&&|;) */, '')
    .replace(/\s+2>&1/g, '')
    .replace(/\s*\|\s*(?:tail|head)(?:\s+-\S+)*(?:\s+\d+)?$/, '')
    .trim()
  return command === '' || command.startsWith('{') || command.includes('\n') || command.length > LONGEST_COMMAND ? undefined : command
}

function fixEndingWith(worked: Run, recent: readonly Run[]): Fix | undefined {
  for (let index = recent.length - 1; index >= Math.max(0, recent.length - WINDOW); index--) {
    const failure = recent[index]!
    if (failure.failed && isSamePurpose(failure.command, worked.command)) return toFix(failure, recent.slice(index + 1), worked)
    // An earlier success of the same command has taken the fix already.
    if (!failure.failed && failure.command === worked.command) return undefined
  }
  return undefined
}

function toFix(failure: Run, between: readonly Run[], worked: Run): Fix | undefined {
  if (worked.afterEdit || between.some((run) => run.afterEdit)) return undefined
  const changing = between.filter((run) => !run.failed && !READ_ONLY.test(run.command) && run.command !== worked.command)
  const steps = [...new Set(changing.map((run) => run.command)), worked.command]
  if (failure.command === worked.command && steps.length === 1) return undefined // It worked by itself the second time.
  const error = tellingLine(failure.output)
  if (error === undefined || steps.length > MOST_STEPS) return undefined
  if ([failure.command, error, ...steps].some((text) => mayHoldSecret(text) || DANGEROUS.test(text))) return undefined
  return { command: failure.command, error, steps, ...(worked.at === undefined ? {} : { at: worked.at }) }
}

/** The same command, or a variant of it: the same program, most words shared. */
function isSamePurpose(failed: string, worked: string): boolean {
  if (failed === worked) return true
  if (READ_ONLY.test(failed) || READ_ONLY.test(worked)) return false
  const a = commandWords(failed)
  const b = commandWords(worked)
  const shared = a.filter((word) => b.includes(word)).length
  return b.includes(a[0] ?? '') && shared * 2 >= Math.min(a.length, b.length) && shared >= Math.min(2, a.length)
}

function commandWords(command: string): string[] {
  return command.split(/\s+/).filter((word) => !/^[A-Z_]+=/.test(word))
}

function tellingLine(output: string): string | undefined {
  const lines = output
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\d{4}-\d{2}-\d{2}[T ][\d:.,Z+-]+\s*)?(?:npm (?:ERR!|error)\s*)?/, '').trim())
    .filter((line) => line.length >= 8 && !NOT_TELLING.test(line))
  const line = lines.find((candidate) => NAMED.test(candidate)) ?? lines.find((candidate) => TELLING.test(candidate))
  return line === undefined ? undefined : line.replaceAll('`', "'").slice(0, 160).trim()
}
