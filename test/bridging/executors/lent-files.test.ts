import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { lendFiles, treeInRun } from '../../../src/bridging/executors/lent-files.ts'
import { type Layout, layout } from '../../../src/bridging/layout.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

let tree: Layout
const job = () => ({ number: 1, kind: 'skill' as const, path: join(tree.jobs, '1.txt') })
beforeEach(() => {
  tree = layout('codex', temporaryFolder())
  mkdirSync(tree.jobs)
  writeFileSync(job().path, `Path log: ${tree.resourceLog}\nList: ${tree.resources}\nSession: ${tree.sessions}/1.jsonl\n`)
})

describe('the files lent to a program for its run', () => {
  it('lie in a folder of their own that the copies of the jobs name, and come back with what was added', () => {
    writeFileSync(tree.resourceLog, '/a.md\n')
    const lent = lendFiles(tree, [job()])
    const inRun = treeInRun(tree, { env: { MEMU_BRIDGING_RUN: '1' } })
    expect(readFileSync(join(lent.jobs, '1.txt'), 'utf8')).toBe(
      `Path log: ${inRun.resourceLog}\nList: ${inRun.resources}\nSession: ${tree.sessions}/1.jsonl\n`,
    )
    for (const path of [inRun.resourceLog, inRun.resources]) expect(path.startsWith(lent.folder)).toBe(true)
    writeFileSync(inRun.resourceLog, '/b.md\n', { flag: 'a' })
    writeFileSync(inRun.resources, '---\n')
    lent.takeBack()
    expect(readFileSync(tree.resourceLog, 'utf8')).toBe('/a.md\n/b.md\n')
    expect(readFileSync(tree.resources, 'utf8')).toBe('---\n')
    expect(existsSync(lent.folder)).toBe(false)
    expect(readFileSync(job().path, 'utf8')).toContain(`Path log: ${tree.resourceLog}\n`)
  })

  it('are where they always are for a command that no such run has called', () => {
    lendFiles(tree, [job()])
    expect(treeInRun(tree, { env: {} })).toBe(tree)
  })

  it('come back after a run that was killed', () => {
    writeFileSync(tree.resourceLog, '/a.md\n')
    lendFiles(tree, [job()])
    lendFiles(tree, [job()]).takeBack()
    expect(readFileSync(tree.resourceLog, 'utf8')).toBe('/a.md\n')
  })

  it('are not taken back where the program left a link in their place', () => {
    const elsewhere = join(temporaryFolder(), 'config.env')
    writeFileSync(elsewhere, 'MEMU_DB=x\n')
    const lent = lendFiles(tree, [job()])
    symlinkSync(elsewhere, treeInRun(tree, { env: { MEMU_BRIDGING_RUN: '1' } }).resources)
    lent.takeBack()
    expect(readdirSync(tree.base)).toEqual(['jobs'])
    expect(readFileSync(elsewhere, 'utf8')).toBe('MEMU_DB=x\n')
  })
})
