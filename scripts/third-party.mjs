/**
 * Writes dist/THIRD-PARTY.md: name, version and licence text of every package whose code is bundled into `dist/`. Called by the build; the
 * list comes from the bundle itself (`//#region node_modules/…` marks), so that it cannot fall behind.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const bundled = new Set()
for (const entry of readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.c?js$/.test(entry.name)) continue
  const code = readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8')
  for (const [, name] of code.matchAll(/^\/\/#region node_modules\/((?:@[^/\s]+\/)?[^/\s]+)/gm)) bundled.add(name)
}

const sections = [...bundled].sort().map((name) => {
  const folder = join(root, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file
    ? readFileSync(join(folder, file), 'utf8').trim()
    : `(the package carries no licence file; its manifest says ${license})`
  return `## ${name} ${version} (${license})\n\n${text.replace(/^/gm, '    ')}\n`
})
writeFileSync(join(root, 'dist', 'THIRD-PARTY.md'), `# Bundled packages\n\n${sections.join('\n')}`)
