/** Which part of Keel knows which, as docs/architecture.md says it. The linter keeps memU's own folders out. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect, it } from 'vitest'

const SOURCES = join(import.meta.dirname, '../../src')
const KEEL = join(SOURCES, 'keel')

/** Ports, and the plain words around them: what a part may know of another one without knowing how that works. */
const PORTS = {
  ai: ['ai/backend.ts', 'ai/proposal.ts', 'ai/same-action.ts'],
  knowledge: ['knowledge/source.ts', 'knowledge/text.ts'],
  memory: ['memory/store.ts', 'memory/recency.ts'],
  tasks: ['tasks/task-list.ts', 'tasks/task-text.ts'],
}

/** By folder: the folders and files of Keel that it may import, beside its own. What is not named here may import none. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  memory: ['aw/'],
  'screen-time': ['aw/', ...PORTS.knowledge],
  // Names and checks of what can be set; adapters take their settings from there.
  settings: ['ai/settings.ts', 'aw/address.ts', 'knowledge/notes.ts'],
  tasks: ['settings/settings.ts', 'settings/invalid-setting.ts'],
  offscreen: [...PORTS.ai, ...PORTS.knowledge, ...PORTS.memory, ...PORTS.tasks],
  // What a page shows: no more than `app.ts` has of it.
  server: ['ai/destination.ts', 'memory/store.ts', 'offscreen/view.ts', 'offscreen/history.ts', 'settings/view.ts', 'settings/settings.ts'],
  harness: ['ai/', 'aw/', 'knowledge/', 'memory/', 'offscreen/', 'screen-time/', 'settings/', 'tasks/', 'server/app.ts'],
  daemon: ['harness/app.ts', 'memory/place.ts', 'server/'],
}

/** The one adapter that asks memU what it knows, by memU's own ports. */
const MEMU = { 'knowledge/memu.ts': ['memory/backend.ts', 'memory/open.ts', 'config/load.ts', 'redaction/redact.ts'] }

interface Edge {
  readonly from: string
  /** Below `src`. */
  readonly to: string
}

function edges(folder: string): Edge[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const file = join(folder, name)
      const found = readFileSync(file, 'utf8').matchAll(/(?:^(?:import|export) (?:[^'"]* from )?|\bimport\()'(\.[^']+)'/gm)
      return [...found].map(([, to]) => ({ from: posix(relative(KEEL, file)), to: posix(relative(SOURCES, join(dirname(file), to!))) }))
    })
}

const posix = (path: string): string => path.split(sep).join('/')
/** The daemon is one file and its folder. */
const folderOf = (file: string): string => file.split('/', 1)[0]!.replace(/\.ts$/, '')

const isBelow = (file: string, allowed: readonly string[]): boolean =>
  allowed.some((one) => (one.endsWith('/') ? file.startsWith(one) : file === one))

it('each part of Keel imports what its table names, memU by one adapter, and utilities', () => {
  const all = edges(KEEL)
  expect(all.length).toBeGreaterThan(300)
  const wrong = all.filter(({ from, to }) => {
    if (to.startsWith('util/')) return false
    if (!to.startsWith('keel/')) return !isBelow(to, MEMU[from as keyof typeof MEMU] ?? [])
    const file = to.slice('keel/'.length)
    return folderOf(file) !== folderOf(from) && !isBelow(file, MAY[folderOf(from)] ?? [])
  })
  expect(wrong).toEqual([])
})

it('pages are made of what the app shows, and know neither requests nor the network', () => {
  const allowed = ['server/pages/', 'server/app.ts', 'offscreen/history.ts', 'settings/settings.ts']
  const wrong = edges(join(KEEL, 'server/pages')).filter(
    ({ to }) => !to.startsWith('util/') && !isBelow(to.replace(/^keel\//, ''), allowed),
  )
  expect(wrong).toEqual([])
})

it('adapters do not know each other: what several share lies beside them, and only open.ts chooses', () => {
  const adapters = [
    ...['builtin/', 'claude.ts', 'codex.ts', 'ollama.ts', 'openai.ts'].map((name) => `ai/backends/${name}`),
    ...['marvin-command.ts', 'marvin-rest.ts', 'taskwarrior.ts', 'todo-txt.ts', 'todoist.ts', 'none.ts'].map((name) => `tasks/${name}`),
  ]
  const adapterOf = (file: string): string | undefined => adapters.find((one) => isBelow(file, [one]))
  const wrong = edges(KEEL).filter(({ from, to }) => {
    const chosen = adapterOf(to.replace(/^keel\//, ''))
    return chosen !== undefined && adapterOf(from) !== chosen && !['ai/open.ts', 'tasks/open.ts'].includes(from)
  })
  expect(wrong).toEqual([])
})

it('nothing of memU knows of Keel, but the program that starts it', () => {
  const others = readdirSync(SOURCES).filter((name) => name !== 'keel' && !name.includes('.'))
  const wrong = others
    .flatMap((name) => edges(join(SOURCES, name)))
    .filter(({ from, to }) => to.startsWith('keel/') && !from.endsWith('bin/keeld.ts'))
  expect(wrong).toEqual([])
})
