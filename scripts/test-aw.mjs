/**
 * Keel's memory against the real ActivityWatch server: `npm run test:aw`. Installs a pinned one once into `.cache`, in a virtual
 * environment, and runs it on loopback with a home of its own. Where that cannot be had, the tests are skipped, and it says why.
 */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installServer } from '../test/aw/install.mjs'
import { steps } from '../test/hosts/steps.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = await install()
if (program !== undefined) await test(program)

async function install() {
  try {
    return await installServer(join(root, '.cache'))
  } catch (error) {
    const report = steps(console.log)
    report.skip('the real ActivityWatch server', error.message)
    console.log(report.summary())
    return undefined
  }
}

/** The last line is the runner's own count. */
function test(program) {
  const args = [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--root',
    root,
    '--config',
    join('test', 'aw', 'vitest.config.ts'),
  ]
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, MEMU_TEST_AW_SERVER: program },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', (code) => {
      process.exitCode = code ?? 1
      done()
    })
  })
}
