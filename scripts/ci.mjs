/**
 * Runs every check in turn, goes on after a failure, and adds up what the runners counted. A check whose runner prints a closing
 * line `N passed, N failed` counts those; any other counts as one.
 */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from './apt.mjs'
import { installNode24, prefersNode } from './node24.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const env = { ...process.env, CI: 'true', FORCE_COLOR: '0' }
const total = { passed: 0, failed: 0, skipped: 0 }

installTaskPrograms()
await check('tests', ['npm', 'test'])
await check('lint', ['npm', 'run', '--silent', 'lint'])
await check('types', ['npm', 'run', '--silent', 'types'])
await check('build', ['npm', 'run', '--silent', 'build'])
await check('package', ['npm', 'run', '--silent', 'test:package'])
await check('demo', ['npm', 'run', '--silent', 'demo'])
await check('the real ActivityWatch server', ['npm', 'run', '--silent', 'test:aw'])
await check('the page in a real Chromium', ['npm', 'run', '--silent', 'test:web'])
await check('real agent programs', ['npm', 'run', '--silent', 'test:hosts'])
await check('real programs as Keel’s proposers', ['npm', 'run', '--silent', 'test:proposers'])
await node24()

const tail = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`${total.passed} passed, ${total.failed} failed${tail}`)
process.exitCode = total.failed > 0 ? 1 : 0

/** The real ones that Keel's tests try where they are there. */
function installTaskPrograms() {
  try {
    installPackages(['taskwarrior', 'todotxt-cli'])
  } catch (error) {
    console.log(`the tests of the real Taskwarrior and todo.txt are skipped: ${error.message}`)
  }
}

/**
 * The same tests on the other supported line of Node.js, but for the two that take longest and are of our own code alone: the fuzzing of
 * parsers, and the kills at every write.
 */
async function node24() {
  let bin
  try {
    bin = installNode24(join(root, '.cache', 'node24'))
  } catch (error) {
    console.log(`skipped: ${error.message}`)
    total.skipped += 1
    return
  }
  const without = ['test/fuzz/**', 'test/e2e/kill.test.ts'].flatMap((files) => ['--exclude', files])
  await check('tests on Node.js 24', ['node', join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...without], {
    PATH: prefersNode(bin).PATH,
    // Half an hour off UTC, and with daylight saving: what takes one for the other shows.
    TZ: 'America/St_Johns',
  })
}

async function check(name, command, extra = {}) {
  const started = Date.now()
  console.log(`\n== ${name}`)
  const { code, output } = await run(command, { env: { ...env, ...extra } })
  const counts = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1)
  const [passed, failed, skipped] = counts ? counts.slice(1).map((n) => Number(n ?? 0)) : [code === 0 ? 1 : 0, code === 0 ? 0 : 1, 0]
  total.passed += passed
  total.failed += code !== 0 && failed === 0 ? 1 : failed
  total.skipped += skipped
  console.log(`== ${name}: ${code === 0 ? 'ok' : `FAILED (exit ${code})`}, ${Math.round((Date.now() - started) / 1000)} s`)
}

function run(command, options = {}) {
  return new Promise((done) => {
    const child = spawn(command[0], command.slice(1), { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text) => {
        output = (output + text).slice(-100_000)
        process.stdout.write(text)
      })
    }
    child.on('error', (error) => done({ code: 127, output: String(error) }))
    child.on('close', (code) => done({ code: code ?? 1, output }))
  })
}
