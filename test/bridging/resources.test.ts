import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describedResources, verifyResources } from '../../src/bridging/resources.ts'
import { type World, world } from './world.ts'

let w: World
beforeEach(async () => {
  w = await world()
  fs.mkdirSync(w.tree.base, { recursive: true })
})
afterEach(() => w.end())

function file(name: string): string {
  const path = join(w.root, name)
  fs.writeFileSync(path, 'x')
  return path
}

describe('verify-resources', () => {
  it('keeps absolute paths of files that exist, first seen first, each once', () => {
    const [a, b] = [file('a.md'), file('b with space.md')]
    w.write('.resource.tmp', `${b}\nrelative.md\n${w.root}\n${join(w.root, 'gone.md')}\n\n${a}\r\n${b}\n- \`${a}\`\n`)
    expect(verifyResources(w.tree)).toEqual({ paths: [b, a], left: 3 })
    expect(w.read('resources.md')).toBe(`---\npath: ${b}\ndescription:\n---\npath: ${a}\ndescription:\n---\n`)
  })

  it('asks no other machine: a path of the network is left out unlooked at', () => {
    const a = file('a.md')
    w.write('.resource.tmp', `/${a}\n\\\\server\\share\\a.md\n${a}\n`)
    expect(verifyResources(w.tree)).toEqual({ paths: [a], left: 2 })
    w.write('resources.md', `path: /${a}\ndescription: theirs\n---\npath: ${a}\ndescription: ours\n`)
    expect(describedResources(w.tree)).toEqual([{ url: a, caption: 'ours' }])
  })

  it('keeps fifty at the most', () => {
    const paths = Array.from({ length: 60 }, (_, n) => file(`f${n}`))
    w.write('.resource.tmp', paths.join('\n'))
    expect(verifyResources(w.tree)).toEqual({ paths: paths.slice(0, 50), left: 10 })
  })

  it('writes an empty list where nothing was noted', () => {
    expect(verifyResources(w.tree)).toEqual({ paths: [], left: 0 })
    expect(w.read('resources.md')).toBe('')
  })

  it('keeps the descriptions that are there when it is run again', () => {
    const a = file('a.md')
    w.write('.resource.tmp', a)
    w.write('resources.md', `---\npath: ${a}\ndescription: A plan\n---\n`)
    verifyResources(w.tree)
    expect(describedResources(w.tree)).toEqual([{ url: a, caption: 'A plan' }])
  })
})

describe('described resources', () => {
  it('are those with a description; null says that there could be none', () => {
    w.write(
      'resources.md',
      'path: /a\ndescription: "One plan"\n---\r\npath: /b\r\ndescription: null\r\n---\npath: /c\ndescription:\n---\npath: d\ndescription: relative\n---\npath: /e\ndescription: over\n  two lines\n',
    )
    expect(describedResources(w.tree)).toEqual([
      { url: '/a', caption: 'One plan' },
      { url: '/e', caption: 'over two lines' },
    ])
  })

  it('reach the store with the commit, and the list is gone then', async () => {
    const a = file('a.md')
    w.session('s', ['one'])
    await w.prepare()
    w.write('.resource.tmp', a)
    verifyResources(w.tree)
    w.write('resources.md', w.read('resources.md').replace('description:', 'description: A plan for the shop'))
    w.finish(1, 2, 3)
    expect(await w.commit()).toMatchObject({ resources: 1 })
    expect((await w.backend.progressiveRetrieve('plan for the shop')).resources).toMatchObject([{ url: a, caption: 'A plan for the shop' }])
    expect([w.has('.resource.tmp'), w.has('resources.md')]).toEqual([false, false])
  })

  it('wait for the next run where the resource job was not finished', async () => {
    w.session('s', ['one'])
    await w.prepare()
    w.write('.resource.tmp', file('a.md'))
    await w.commit({ onlyMarked: true })
    expect(w.has('.resource.tmp')).toBe(true)
    w.finish(1, 2)
    expect(await w.commit()).toMatchObject({ resources: 0, advanced: ['s'] })
    expect(w.has('.resource.tmp')).toBe(true)
  })
})
