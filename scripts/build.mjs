/** Builds `dist/`: the programs, the library and its type declarations. Run through `npm run build`. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

rmSync(join(root, 'dist'), { recursive: true, force: true })
tool('rolldown', 'bin/cli.mjs', '-c', 'rolldown.config.ts', '--log-level', 'warn')
tool('typescript', 'bin/tsc', '-p', 'tsconfig.build.json')
run(join(root, 'scripts', 'third-party.mjs'))
for (const name of readdirSync(join(root, 'dist', 'bin'))) chmodSync(join(root, 'dist', 'bin', name), 0o755)

/** Runs a development tool from `node_modules` with this Node.js. */
function tool(name, file, ...args) {
  run(join(root, 'node_modules', name, file), ...args)
}

function run(script, ...args) {
  const { status, error } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
