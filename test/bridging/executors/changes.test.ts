import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NOTED_HEADING, notedLines } from '../../../src/bridging/executors/builtin/noted-lines.ts'
import { builtinExecutor } from '../../../src/bridging/executors/builtin.ts'
import { type Change, changes, changesToo } from './changes.ts'
import { changesStrange } from './changes-strange.ts'
import { preparedRun } from './slice-file.ts'

/** The lines as they stand at the end, without what was before. */
async function linesAfter({ says, together }: Change): Promise<string[]> {
  const days = says.map((text, index) => ({ date: `2026-03-${10 + index}`, says: [text] }))
  const run = preparedRun(together ? [{ date: '2026-03-10', says }] : days)
  await builtinExecutor().run(run)
  return readdirSync(run.layout.tracks.memory).flatMap((name) => {
    const text = readFileSync(join(run.layout.tracks.memory, name), 'utf8')
    return notedLines(text.slice(text.indexOf(NOTED_HEADING))).map((line) => line.text)
  })
}

describe('what changes', () => {
  it.each([...changes, ...changesStrange].map((change) => [change.says.join(' → '), change] as const))('%s', async (_says, change) => {
    const lines = await linesAfter(change)
    for (const words of change.holds ?? []) expect(lines.join('\n')).toContain(words)
    for (const words of change.gone ?? []) expect(lines.join('\n')).not.toContain(words)
  })

  it('gives way in at least 9 of 10 conversations in other words, and takes nothing else along', async () => {
    const wrong: string[] = []
    const missed: string[] = []
    for (const change of changesToo) {
      const lines = (await linesAfter(change)).join('\n')
      // Without anything that should go, what is lost was true.
      const lost = (change.holds ?? []).filter((words) => !lines.includes(words))
      if (change.gone === undefined) wrong.push(...lost)
      else missed.push(...lost, ...change.gone.filter((words) => lines.includes(words)))
    }
    expect(wrong).toEqual([])
    expect(missed.length / changesToo.filter(({ gone }) => gone !== undefined).length, missed.join('\n')).toBeLessThanOrEqual(0.2)
  })
})
