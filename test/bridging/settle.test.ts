import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ChangedFile } from '../../src/bridging/changes.ts'
import type { PlannedFile } from '../../src/bridging/plan-commit.ts'
import { settle } from '../../src/bridging/settle.ts'
import { type SnapshotEntry, sha256 } from '../../src/bridging/snapshot.ts'
import { world } from './world.ts'

it('looks at each file that was known a few times, however many new ones there are', async () => {
  const w = await world()
  try {
    let looks = 0
    const known = (n: number): SnapshotEntry => ({
      get track() {
        looks++
        return 'memory'
      },
      name: `known ${n}`,
      disk: sha256(''),
      base: sha256(''),
    })
    const planned = (n: number): PlannedFile => {
      const document = { name: `new ${n}`, description: '', content: '- x' }
      const file = {
        track: 'memory',
        name: document.name,
        path: `memory/new-${n}.md`,
        disk: sha256(''),
        joined: false,
        extra: [],
        also: [],
      }
      const source: ChangedFile = { ...file, mine: document }
      return { source, document, extra: [], merged: false, conflicts: [], input: { track: 'memory', ...document }, removed: new Map() }
    }
    const many = Array.from({ length: 100 }, (_, n) => n)
    const none = { forget: [], gone: [], refused: [], accident: 0, seen: [], held: [] }
    settle(w.tree, new Map(many.map((n) => [`memory/known-${n}.md`, known(n)])), { files: many.map(planned), ...none }, undefined)
    const { files } = JSON.parse(fs.readFileSync(join(w.tree.base, '.memory_manifest.json'), 'utf8')) as { files: object }
    expect(Object.keys(files)).toHaveLength(200)
    expect(looks).toBeLessThan(10 * many.length)
  } finally {
    await w.end()
  }
})
