import * as fs from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { copiesDirectory, copyPath, copyText, writeCopy } from '../../src/cli/retrieve/copies.ts'
import { sweepCopies } from '../../src/cli/sweep-copies.ts'
import { parseMemoryText } from '../../src/markdown/front-matter.ts'
import type { ListQuery } from '../../src/memory/backend.ts'
import type { RecallFile } from '../../src/records.ts'
import { realSystem, type System } from '../../src/util/system.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

let system: System
let view: string
let said: string
beforeEach(() => {
  system = { ...realSystem(), home: temporaryFolder() }
  view = copiesDirectory(system)
  said = ''
})

function file(more: Partial<RecallFile>): RecallFile {
  const time = '2026-01-01T00:00:00.000Z'
  return {
    id: 'id',
    track: 'memory',
    name: 'notes',
    description: 'd',
    content: 'text',
    user_id: '',
    agent_id: '',
    created_at: time,
    updated_at: time,
    ...more,
  }
}

/** Written some time ago, as copies of earlier prompts are. */
function copy(of: RecallFile): string {
  const path = copyPath(view, of)
  writeCopy(path, of)
  fs.utimesSync(path, new Date(0), new Date(0))
  return path
}

/** A store whose every page holds one file. */
function storing(...files: RecallFile[]) {
  return {
    async listAllRecallFiles({ cursor }: ListQuery = {}) {
      const at = Number(cursor ?? 0)
      return { recall_files: files.slice(at, at + 1), next_cursor: at + 1 < files.length ? String(at + 1) : null }
    },
  }
}

const sweep = (backend: Parameters<typeof sweepCopies>[1]): Promise<void> => sweepCopies({ system, err: (text) => (said += text) }, backend)

describe('a sweep of the copies that searches left', () => {
  it('takes those of files that are forgotten or changed, and no other', async () => {
    const kept = [file({ name: 'kept' }), file({ track: 'skill', name: 'Fix Login' }), file({ name: 'kept', user_id: 'u' })]
    const paths = kept.map(copy)
    const forgotten = copy(file({ name: 'forgotten' }))
    const changed = copy(file({ name: 'changed', content: 'a line that was taken out' }))
    await sweep(storing(...kept, file({ name: 'changed', content: 'other' })))
    expect(paths.filter((path) => fs.existsSync(path))).toEqual(paths)
    expect([forgotten, changed].filter((path) => fs.existsSync(path))).toEqual([])
    expect(said).toBe('')
  })

  it('takes what a killed search left half written, and leaves what a running one writes', async () => {
    const stale = join(view, 'memory', '.abc.tmp')
    copy(file({ name: 'x' }))
    fs.writeFileSync(stale, 'half')
    fs.utimesSync(stale, new Date(0), new Date(0))
    const running = join(view, 'memory', '.def.tmp')
    fs.writeFileSync(running, 'half')
    const later = new Date(Date.now() + 60_000)
    fs.utimesSync(running, later, later)
    await sweep(storing())
    expect(fs.readdirSync(join(view, 'memory'))).toEqual(['.def.tmp'])
  })

  it('asks the store nothing where there are no copies', async () => {
    await sweep({ listAllRecallFiles: () => Promise.reject(new Error('asked')) })
    expect(said).toBe('')
  })

  it('touches nothing behind a link', async () => {
    const elsewhere = join(system.home, 'notes')
    fs.mkdirSync(elsewhere)
    fs.writeFileSync(join(elsewhere, 'own.md'), 'text')
    fs.mkdirSync(view, { recursive: true })
    fs.symlinkSync(elsewhere, join(view, 'memory'), 'junction')
    await sweep(storing())
    expect(fs.readdirSync(elsewhere)).toEqual(['own.md'])
  })

  it('says what went wrong, and does not fail the command that called it', async () => {
    copy(file({}))
    await sweep({ listAllRecallFiles: () => Promise.reject(new Error('the store\u001b[2J is busy')) })
    expect(said).toBe(`warning: old copies may be left in ${view}: the store [2J is busy\n`)
  })
})

describe('a copy', () => {
  it('says in its front matter that it is one, and reads back as the file', () => {
    for (const track of ['memory', 'skill', 'workspace']) {
      const text = copyText(file({ track, content: '# Title\nline' }))
      expect(text.split('\n').slice(0, 5).join('\n')).toMatch(/\nedit: this is a copy; .*memu\S* commit$/m)
      expect(parseMemoryText(text)).toMatchObject({ ok: true, file: { name: 'notes', description: 'd', content: '# Title\nline' } })
    }
  })
})
