import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeResources } from '../../src/bridging/executors/builtin/documents.ts'
import { type World, world } from './world.ts'

let w: World
beforeEach(async () => {
  w = await world()
})
afterEach(() => w.end())

/** What the rules say about a path that stands in `resources.md`. */
function described(path: string): string {
  w.write('resources.md', `---\npath: ${path}\ndescription:\n---\n`)
  describeResources(w.tree, [])
  return /^description: (.*)$/m.exec(w.read('resources.md'))?.[1] ?? ''
}

function file(name: string, text = '# Private words\n'): string {
  const path = join(w.root, name)
  fs.mkdirSync(join(path, '..'), { recursive: true })
  fs.writeFileSync(path, text)
  return path
}

describe('a path in resources.md', () => {
  it('is read where it names a document, also through a link to one', () => {
    expect(described(file('plan.md'))).toBe('Private words (document plan.md)')
    fs.symlinkSync(join(w.root, 'plan.md'), join(w.root, 'link.md'))
    expect(described(join(w.root, 'link.md'))).toContain('Private words')
  })

  it.each(['id_rsa', 'settings.json', '.env', '.ssh/notes.md', 'other-home/.aws/keys.txt', '.SSH/notes.md'])(
    'is not read where it names no document, or lies where keys do: %s',
    (name) => {
      expect(described(file(name))).toBe('null')
    },
  )

  it('is not read where it leads to something else', () => {
    file('secret.key')
    file('.ssh/known.md')
    for (const [at, target] of ['secret.key', '.ssh/known.md', '.ssh'].entries()) {
      fs.symlinkSync(join(w.root, target), join(w.root, `link-${at}.md`))
      expect(described(join(w.root, `link-${at}.md`))).toBe('null')
    }
    expect(described(join(w.root, 'link-2.md', 'known.md'))).toBe('null')
  })

  it('is not even looked at where it may name a server', () => {
    const path = file('plan.md')
    expect(described(`/${path}`)).toBe('null')
    expect(described('\\\\server\\share\\plan.md')).toBe('null')
  })

  it.skipIf(process.platform === 'win32')('is not waited for where it is a pipe', () => {
    spawnSync('mkfifo', [join(w.root, 'pipe.md')])
    expect(described(join(w.root, 'pipe.md'))).toBe('null')
  })
})
