/** A scratch world for the pipeline: a tree, a fake host's log, a real engine in memory. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BridgingDeps } from '../../src/bridging/bridging-deps.ts'
import { type CommitOptions, type CommitReport, commit } from '../../src/bridging/commit.ts'
import { markDone } from '../../src/bridging/done.ts'
import { type Layout, layout } from '../../src/bridging/layout.ts'
import { type PrepareOptions, type PrepareReport, prepare } from '../../src/bridging/prepare.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import type { HostSpec } from '../../src/hosts/host-spec.ts'
import type { LocalBackend } from '../../src/memory/local.ts'
import { openLocal } from '../../src/memory/open.ts'
import { realSystem, type System } from '../../src/util/system.ts'
import { type FakeLine, fakeSource } from './fake-source.ts'

export interface World {
  readonly root: string
  readonly log: string
  readonly tree: Layout
  readonly deps: BridgingDeps
  readonly backend: LocalBackend
  /** Appends lines to a session; the file's time is `minute` after the beginning, so that order is certain. */
  session(id: string, lines: readonly (string | FakeLine)[], minute?: number): void
  prepare(options?: PrepareOptions): Promise<PrepareReport>
  commit(options?: CommitOptions): Promise<CommitReport>
  /** Prepares, marks every job and commits. */
  cycle(options?: PrepareOptions): Promise<{ readonly prepared: PrepareReport; readonly committed: CommitReport }>
  /** The same; `look` sees the slices before they go. */
  cycleAndLook(look: (w: World) => void): Promise<{ readonly prepared: PrepareReport }>
  finish(...jobs: number[]): void
  /** Lines of a slice, parsed, header first. */
  slice(name: string): Record<string, unknown>[]
  /** What a slice says, without header. */
  said(name: string): string[]
  write(path: string, text: string): void
  read(path: string): string
  has(path: string): boolean
  /** Content of a file in the store; undefined where it has none. */
  stored(track: string, name: string): Promise<string | undefined>
  store(track: string, name: string, content: string, description?: string): Promise<void>
  end(): Promise<void>
}

export async function world(
  change: { system?: Partial<System>; spec?: Partial<HostSpec>; deps?: Partial<BridgingDeps> } = {},
): Promise<World> {
  const root = fs.mkdtempSync(join(tmpdir(), 'memu-bridging-'))
  const log = join(root, 'log')
  const base = join(root, 'tree')
  fs.mkdirSync(log)
  const system: System = { ...realSystem(), env: {}, home: root, cwd: root, ...change.system }
  const spec: HostSpec = {
    host: 'fake',
    binary: 'memu-fake',
    title: 'Fake',
    baseDir: () => base,
    sessionDir: () => log,
    source: async (directory) => fakeSource(directory),
    sessionIdEnv: 'FAKE_SESSION',
    ...change.spec,
  }
  const backend = await openLocal({ db: ':memory:', embedder: letters })
  const deps: BridgingDeps = { system, spec, backend: async () => backend, ...change.deps }
  const tree = layout('fake', base)
  const at = (path: string): string => join(base, path)
  const text = (path: string): string => fs.readFileSync(at(path), 'utf8')
  const slice = (name: string): Record<string, unknown>[] =>
    text(`sessions/${name}.jsonl`)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  const self: World = {
    root,
    log,
    tree,
    deps,
    backend,
    session(id, lines, minute = 0) {
      const path = join(log, `${id}.jsonl`)
      const full = lines.map((line) => (typeof line === 'string' ? { text: line } : line))
      fs.appendFileSync(path, full.map((line) => `${JSON.stringify(line)}\n`).join(''))
      const time = new Date(Date.UTC(2026, 0, 1, 0, minute))
      fs.utimesSync(path, time, time)
    },
    prepare: (options = {}) => prepare(options, deps),
    commit: (options = {}) => commit(options, deps),
    async cycle(options = {}) {
      const prepared = await prepare(options, deps)
      for (const job of prepared.jobs) markDone(tree, job.number)
      return { prepared, committed: await commit({ onlyMarked: true }, deps) }
    },
    async cycleAndLook(look) {
      const prepared = await prepare({}, deps)
      if (prepared.sessions.length > 0) look(self)
      for (const job of prepared.jobs) markDone(tree, job.number)
      await commit({ onlyMarked: true }, deps)
      return { prepared }
    },
    finish: (...jobs) => {
      for (const job of jobs) markDone(tree, job)
    },
    slice,
    said: (name) =>
      slice(name)
        .slice(1)
        .map((line) => String(line.text)),
    write(path, content) {
      fs.mkdirSync(join(at(path), '..'), { recursive: true })
      fs.writeFileSync(at(path), content)
    },
    read: text,
    has: (path) => fs.existsSync(at(path)),
    async stored(track, name) {
      let cursor: string | null = null
      do {
        const page = await backend.listAllRecallFiles({ cursor })
        const found = page.recall_files.find((file) => file.track === track && file.name === name)
        if (found !== undefined) return found.content
        cursor = page.next_cursor
      } while (cursor !== null)
      return undefined
    },
    async store(track, name, content, description = '') {
      await backend.commitResults({ recall_files: [{ track, name, content, description }] })
    },
    async end() {
      await backend.close()
      fs.rmSync(root, { recursive: true, force: true })
    },
  }
  return self
}

/** A file of the mirror as an agent writes it. */
export function memoryFile(name: string, ...lines: string[]): string {
  return `---\nname: ${name}\ndescription: notes on ${name}\n---\n\n${lines.join('\n')}\n`
}

/** Counts letters: enough of an embedder where meaning is not under test. */
const letters: Embedder = {
  space: { provider: 'test', model: 'letters', dimensions: 26 },
  maxCharacters: 10_000,
  embed: async (texts) => texts.map(vector),
  embedQuery: async (text) => vector(text),
}

function vector(text: string): Float32Array {
  const counts = new Float32Array(26)
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97
    if (at >= 0 && at < 26) counts[at] = (counts[at] ?? 0) + 1
  }
  const norm = Math.hypot(...counts) || 1
  return counts.map((value) => value / norm)
}
