import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadAssets } from '../../../src/keel/server/assets.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keel-assets-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('loadAssets', () => {
  it('takes the files that a page uses, and neither folders nor others', () => {
    mkdirSync(join(folder, 'more.js'))
    for (const name of ['keel.js', 'keel.css', 'icon.svg', 'keel.js.map', '.built']) writeFileSync(join(folder, name), name)
    const assets = loadAssets(folder)
    expect([...assets.keys()].sort()).toEqual(['icon.svg', 'keel.css', 'keel.js'])
    expect(assets.get('keel.js')).toMatchObject({ type: 'text/javascript; charset=utf-8', body: Buffer.from('keel.js') })
  })

  it('names another content by another tag', () => {
    writeFileSync(join(folder, 'keel.js'), 'one')
    const before = loadAssets(folder).get('keel.js')!.etag
    expect(loadAssets(folder).get('keel.js')!.etag).toBe(before)
    writeFileSync(join(folder, 'keel.js'), 'two')
    expect(loadAssets(folder).get('keel.js')!.etag).not.toBe(before)
  })

  it('does without where nothing was built', () => {
    expect(loadAssets(join(folder, 'nothing')).size).toBe(0)
  })
})
