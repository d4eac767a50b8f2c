/**
 * A bundler plugin that writes `dist/THIRD-PARTY.md`: name, version and licence text of every package whose code is in the bundle. The
 * list comes from the bundle itself, so that it cannot fall behind.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

export function thirdParty(): Plugin {
  return {
    name: 'third-party',
    generateBundle(_options, bundle) {
      const packages = new Map<string, string>()
      for (const chunk of Object.values(bundle)) {
        for (const module of chunk.type === 'chunk' ? chunk.moduleIds : []) {
          const [, folder, name] = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))[\\/]/.exec(module) ?? []
          if (name && folder) packages.set(name.replace('\\', '/'), folder)
        }
      }
      const sections = [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, folder]) => section(name, folder))
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY.md', source: `# Bundled packages\n\n${sections.join('\n')}` })
    },
  }
}

function section(name: string, folder: string): string {
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `(no licence file in the package; its manifest says ${license})`
  return `## ${name} ${version} (${license})\n\n${text.replace(/^/gm, '    ')}\n`
}
