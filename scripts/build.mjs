/** Builds `dist/`: the programs, the library and its type declarations, and the files of Keel's page. Run through `npm run build`. */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

process.stderr.write('building dist …\n')
rmSync(join(root, 'dist'), { recursive: true, force: true })
tool('rolldown', 'bin/cli.mjs', '-c', 'rolldown.config.ts', '--log-level', 'warn')
tool('typescript', 'bin/tsc', '-p', 'tsconfig.build.json')
for (const name of readdirSync(join(root, 'dist', 'bin'))) chmodSync(join(root, 'dist', 'bin', name), 0o755)
copyFileSync(join(root, 'web', 'icon.svg'), join(root, 'dist', 'web', 'icon.svg'))
// One file to fetch, in this order: what comes later wins.
const styles = ['base', 'frame', 'proposal', 'panels', 'history', 'forget', 'settings', 'brief']
const styleSheet = styles.map((name) => readFileSync(join(root, 'web', 'styles', `${name}.css`), 'utf8')).join('\n')
writeFileSync(join(root, 'dist', 'web', 'keel.css'), styleSheet)
// The time of this file is the time of the build: `ensure.mjs` compares it with the sources.
writeFileSync(join(root, 'dist', '.built'), '')

/** Runs a development tool from `node_modules` with this Node.js. What it says is shown only where it failed. */
function tool(name, file, ...args) {
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [join(root, 'node_modules', name, file), ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  if (error) throw error
  if (status === 0) return
  process.stderr.write(`${stdout}${stderr}`)
  process.exit(status ?? 1)
}
