/**
 * The pipeline with a real host's log and a real SQLite store, and an agent that needs no model: it writes down every message, each
 * in a line of its own. `program.mjs <verb>` in the HOME of the environment; `TREE` names another host's tree. `rerun` is what
 * happens after a crash.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { type BridgeDeps, bridge } from '../../../src/bridging/bridge.ts'
import { commit } from '../../../src/bridging/commit.ts'
import { markDone } from '../../../src/bridging/done.ts'
import { layout } from '../../../src/bridging/layout.ts'
import { prepare } from '../../../src/bridging/prepare.ts'
import type { Embedder } from '../../../src/embedding/embedder.ts'
import { claudeCode } from '../../../src/hosts/registry.ts'
import { openLocal } from '../../../src/memory/open.ts'
import { writeFileAtomic } from '../../../src/util/fs.ts'
import { realSystem } from '../../../src/util/system.ts'

const system = realSystem()
const baseDir = join(system.home, process.env.TREE ?? 'tree')
const tree = layout(claudeCode.host, baseDir)
const flat: Embedder = {
  space: { provider: 'test', model: 'flat', dimensions: 2 },
  maxCharacters: 10_000,
  embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
  embedQuery: async () => Float32Array.of(1, 0),
}
const backend = await openLocal({ db: join(system.home, 'memory.db'), embedder: flat })
const deps: BridgeDeps = {
  system,
  spec: claudeCode,
  backend: async () => backend,
  value: () => undefined,
  openExecutor: async () => ({
    name: 'test',
    run: async ({ jobs }) => {
      agent(jobs.filter((job) => job.kind === 'memory').length)
      return { finished: jobs.map((job) => job.number), failed: [] }
    },
  }),
}

/** Idempotent, as an agent is that reads before it writes. A file that it no longer needs is deleted. */
function agent(sessions: number): void {
  const path = join(tree.tracks.memory, 'said.md')
  let text = fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '---\nname: said\ndescription: what was said\n---\n\n'
  for (let session = 1; session <= sessions; session++) {
    const lines = fs
      .readFileSync(join(tree.sessions, `${session}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
    for (const line of lines) {
      const said = `- ${(JSON.parse(line) as { text: string }).text}\n`
      if (!text.includes(said)) text += said
    }
  }
  writeFileAtomic(path, text)
  if (sessions > 0) fs.rmSync(join(tree.tracks.memory, 'obsolete.md'), { force: true })
  for (let job = 1; sessions > 0 && job <= 2 * sessions + 1; job++) markDone(tree, job)
}

async function stored(): Promise<Record<string, string[]>> {
  const { recall_files } = await backend.listAllRecallFiles({ limit: 1000 })
  return Object.fromEntries(recall_files.map((file) => [file.name, file.content.split('\n').sort()]))
}

async function rerun(): Promise<unknown> {
  const first = await prepare({ baseDir }, deps)
  agent(first.sessions.length)
  const committed = await commit({ baseDir }, deps)
  const again = await prepare({ baseDir }, deps)
  const problems = [...first.problems, ...committed.problems, ...committed.refused]
  return { repeated: first.sessions.length, left: again.sessions.length, problems, stored: await stored() }
}

const verbs: Record<string, () => Promise<unknown>> = {
  prepare: () => prepare({ baseDir }, deps),
  commit: () => commit({ baseDir }, deps),
  bridge: () => bridge({ baseDir }, deps),
  work: async () => agent((await prepare({ baseDir }, deps)).sessions.length),
  stored,
  rerun,
  'bridge-again': async () => {
    await bridge({ baseDir }, deps)
    return await rerun()
  },
  retry: async () => {
    await commit({ baseDir }, deps)
    return await rerun()
  },
  /** Another host adds to the file that this one writes too, and makes one of its own. */
  elsewhere: async () => {
    const said = (await stored()).said ?? []
    return await backend.commitResults({
      recall_files: [
        { track: 'memory', name: 'said', description: 'what was said', content: [...said, '- from another host'].join('\n') },
        { track: 'memory', name: 'other', description: '', content: '- its own' },
      ],
    })
  },
  seed: () =>
    backend.commitResults({
      recall_files: ['obsolete', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ track: 'memory', name, content: `- ${name}` })),
    }),
}

const result = await verbs[process.argv[2] ?? '']?.()
await backend.close()
fs.writeSync(1, JSON.stringify(result ?? null))
