/**
 * The pipeline with a real host's log and a real SQLite store, and an agent that needs no model: it writes down every message, each
 * in a line of its own. `program.mjs <verb>` in the HOME of the environment; `rerun` is what happens after a crash.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { BridgingDeps } from '../../../src/bridging/bridging-deps.ts'
import { commit } from '../../../src/bridging/commit.ts'
import { markDone } from '../../../src/bridging/done.ts'
import { layout } from '../../../src/bridging/layout.ts'
import { prepare } from '../../../src/bridging/prepare.ts'
import type { Embedder } from '../../../src/embedding/embedder.ts'
import { claudeCode } from '../../../src/hosts/registry.ts'
import { openLocal } from '../../../src/memory/open.ts'
import { realSystem } from '../../../src/util/system.ts'

const system = realSystem()
const tree = layout(claudeCode.host, claudeCode.baseDir(system))
const flat: Embedder = {
  space: { provider: 'test', model: 'flat', dimensions: 2 },
  maxCharacters: 10_000,
  embed: async (texts) => texts.map(() => Float32Array.of(1, 0)),
  embedQuery: async () => Float32Array.of(1, 0),
}
const backend = await openLocal({ db: join(system.home, 'memory.db'), embedder: flat })
const deps: BridgingDeps = { system, spec: claudeCode, backend: async () => backend }

/** Idempotent, as an agent is that reads before it writes. Two files it no longer needs are deleted. */
function agent(jobs: number): void {
  const path = join(tree.tracks.memory, 'said.md')
  let text = fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '---\nname: said\ndescription: what was said\n---\n\n'
  for (let job = 1; job <= jobs; job++) {
    const lines = fs
      .readFileSync(join(tree.sessions, `${job}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
    for (const line of lines) {
      const said = `- ${(JSON.parse(line) as { text: string }).text}\n`
      if (!text.includes(said)) text += said
    }
  }
  fs.writeFileSync(path, text)
  if (jobs > 0) fs.rmSync(join(tree.tracks.memory, 'obsolete.md'), { force: true })
  for (let job = 1; jobs > 0 && job <= 2 * jobs + 1; job++) markDone(tree, job)
}

async function stored(): Promise<Record<string, string[]>> {
  const { recall_files } = await backend.listAllRecallFiles({ limit: 1000 })
  return Object.fromEntries(recall_files.map((file) => [file.name, file.content.split('\n').sort()]))
}

const verbs: Record<string, () => Promise<unknown>> = {
  prepare: () => prepare({}, deps),
  commit: () => commit({}, deps),
  work: async () => agent((await prepare({}, deps)).sessions.length),
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
  rerun,
  retry: async () => {
    await commit({}, deps)
    return await rerun()
  },
}

async function rerun(): Promise<unknown> {
  const first = await prepare({}, deps)
  agent(first.sessions.length)
  const committed = await commit({}, deps)
  const again = await prepare({}, deps)
  const problems = [...first.problems, ...committed.problems, ...committed.refused]
  return { repeated: first.sessions.length, left: again.sessions.length, problems, stored: await stored() }
}

const result = await verbs[process.argv[2] ?? '']?.()
await backend.close()
fs.writeSync(1, JSON.stringify(result ?? null))
