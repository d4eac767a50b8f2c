/** `npm run demo`: the built program's own demo, in this terminal. Run through npm, which builds first where that is needed. */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const memu = join(root, 'dist', 'bin', 'memu.cjs')
// npm runs scripts in the package's directory; a relative path means the one where the person typed it.
const cwd = process.env.INIT_CWD ?? process.cwd()
const { status } = spawnSync(process.execPath, [memu, 'demo', ...process.argv.slice(2)], { stdio: 'inherit', cwd })
process.exit(status ?? 1)
