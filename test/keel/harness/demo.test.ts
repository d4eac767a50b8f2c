import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { builtinProposer } from '../../../src/keel/ai/backends/builtin/proposer.ts'
import { isSameAction } from '../../../src/keel/ai/same-action.ts'
import { makeDemo, recordDemoHistory } from '../../../src/keel/harness/demo.ts'
import { PAST } from '../../../src/keel/harness/demo-past.ts'
import { newFileSource } from '../../../src/keel/knowledge/file.ts'
import { openMemory } from '../../../src/keel/memory/open.ts'
import { assembleBrief } from '../../../src/keel/offscreen/brief.ts'
import { openTasks } from '../../../src/keel/tasks/open.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { testSystem } from '../ai/system.ts'

const { signal } = new AbortController()

/** What the demo's proposer is told at this moment, and what is on its list. */
async function demoAt(now: Date): Promise<{ readonly brief: string; readonly listed: readonly string[]; readonly goals: string }> {
  const folder = temporaryFolder()
  const base = { ...testSystem(), now: () => now }
  const { system, storeFile } = makeDemo(folder, base)
  const memory = openMemory({ system, file: storeFile, log: () => {}, notify: () => {} })
  onTestFinished(() => memory.close().then(() => undefined))
  await recordDemoHistory(memory, now)
  const tasks = await openTasks({ tasks: 'todo-txt', todo_txt: join(folder, 'todo.txt') }, system)
  const knowledge = newFileSource(join(folder, 'goals.md'), { home: folder })
  const { text, listed = [] } = await assembleBrief({ tasks, memory, knowledge }, { now, signal })
  return { brief: text, listed, goals: readFileSync(join(folder, 'goals.md'), 'utf8') }
}

it('proposes something that is not on its list at every hour, so that whoever confirms it sees it come there, and calls nobody at night', async () => {
  const wrong: string[] = []
  for (let hour = 0; hour < 24; hour++) {
    const now = new Date(2026, 5, 1 + hour, hour, 30)
    const { brief, listed } = await demoAt(now)
    expect(listed).toHaveLength(4)
    const isNight = hour >= 22 || hour < 5
    const seen: string[] = []
    for (let round = 0; round < 7; round++) {
      const { nextAction } = await builtinProposer(() => now).propose(brief, { exclude: seen, signal })
      seen.push(nextAction)
      if (listed.some((title) => isSameAction(title, nextAction))) wrong.push(`${hour}: ${nextAction} is on the list`)
      if (isNight && /^(?:call|phone|buy|ask)\b/i.test(nextAction)) wrong.push(`${hour}: ${nextAction}`)
    }
    expect(new Set(seen).size).toBe(7)
  }
  expect(wrong).toEqual([])
})

it('has a history of four weeks in which each reason is another one, and a brief whose goals begin at once', async () => {
  expect(new Set(PAST.map(([, , , why]) => why)).size).toBeGreaterThan(PAST.length - 4)
  expect(PAST.map(([days]) => days)).toEqual(PAST.map(([days]) => days).toSorted((a, b) => b - a))
  for (let week = 0; week < 4; week++) {
    expect(PAST.filter(([days]) => Math.floor(days / 7) === week).length, `week ${week}`).toBeGreaterThan(4)
  }
  const { brief, goals } = await demoAt(new Date(2026, 5, 5, 12))
  expect(brief).toContain(`## Goals\n${goals.split('\n', 1)[0]}`)
})
