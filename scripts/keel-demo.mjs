/** `npm run keel:demo`: the built daemon with sample tasks, goals and history, in this terminal. Run through npm, which builds first. */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const child = spawn(process.execPath, [join(root, 'dist', 'bin', 'keeld.cjs'), '--demo', ...process.argv.slice(2)], { stdio: 'inherit' })
// Ctrl-C reaches both: the daemon stops in good order, and this script waits for it.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('error', (error) => {
  console.error(`error: ${error.message}`)
  process.exitCode = 1
})
child.on('close', (code) => {
  process.exitCode = code ?? 1
})
