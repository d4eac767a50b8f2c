/**
 * Proves the package: packs the tarball, installs it in an empty folder, and runs every program from there. What ships must be
 * complete (word table, templates, licences) and small; what must not ship must not be there.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { npm } from './npm.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const scratch = mkdtempSync(join(tmpdir(), 'memu-package-'))
let passed = 0
let failed = 0

try {
  const tarball = npm(root, ['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch]).trim().split('\n').at(-1)
  const home = join(scratch, 'home')
  const place = join(scratch, 'place')
  for (const folder of [home, place]) mkdirSync(folder)
  writeFileSync(join(place, 'package.json'), '{"private":true,"type":"module"}\n')
  npm(place, ['install', '--no-audit', '--no-fund', '--silent', join(scratch, tarball)])
  const installed = join(place, 'node_modules', 'memu')
  const bin = (name) => join(installed, manifest.bin[name])
  const run = (name, ...args) =>
    spawnSync(process.execPath, [bin(name), ...args], {
      cwd: place,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home },
    })

  check('the tarball is at most 25 MB', statSync(join(scratch, tarball)).size <= 25 * 1024 * 1024)
  for (const file of [
    'model/words.bin',
    'templates/memory-job.txt',
    'LICENSE',
    'model/NOTICE',
    'dist/THIRD-PARTY.md',
    'README.md',
    'dist/types/index.d.ts',
  ]) {
    check(`${file} ships`, existsSync(join(installed, file)))
  }
  const strangers = readdirSync(installed).filter((name) => ['src', 'test', 'bench', 'node_modules', '.cache', '.ci'].includes(name))
  check('sources, tests and benchmarks stay at home', strangers.length === 0, strangers.join(' '))
  check('the only installed dependency is SQLite', Object.keys(manifest.dependencies).join() === '@photostructure/sqlite')

  for (const name of Object.keys(manifest.bin)) {
    const version = run(name, '--version')
    check(`${name} --version says ${manifest.version}`, version.status === 0 && version.stdout.trim() === manifest.version, version.stderr)
    const help = run(name, '--help')
    check(`${name} --help explains itself`, help.status === 0 && help.stdout.includes(`${name} `), help.stderr)
    const unknown = run(name, 'no-such-command')
    check(`${name} refuses an unknown command with exit code 2`, unknown.status === 2 && unknown.stdout === '', unknown.stdout)
  }

  const db = join(home, 'memory.sqlite3')
  mkdirSync(join(home, '.memu'), { mode: 0o700 })
  writeFileSync(join(home, '.memu', 'config.env'), `MEMU_DB=${db}\n`, { mode: 0o600 })
  const payload = join(scratch, 'payload.json')
  writeFileSync(
    payload,
    JSON.stringify({
      recall_files: [{ track: 'memory', name: 'build', description: 'how to build', content: 'The release build needs pnpm, not npm.' }],
    }),
  )
  const commit = run('memu', 'commit', payload)
  check('memu commit stores a file', commit.status === 0, commit.stderr)
  const found = run('memu-codex', 'retrieve', 'which package manager builds a release?')
  check(
    'memu-codex retrieve finds it from the installed package',
    found.status === 0 && found.stdout.includes('pnpm'),
    found.stderr || found.stdout,
  )
  const library = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', "import * as memu from 'memu'; if (typeof memu.openLocal !== 'function') process.exit(1)"],
    { cwd: place, encoding: 'utf8' },
  )
  check('the library can be imported', library.status === 0, library.stderr)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function check(title, ok, detail = '') {
  if (ok) passed += 1
  else failed += 1
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${title}${ok || !detail ? '' : `\n     ${String(detail).trim().slice(0, 500)}`}`)
}
