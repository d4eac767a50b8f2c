import { expect, it } from 'vitest'
import type { BridgeReport } from '../../src/bridging/bridge.ts'
import { bridgeText } from '../../src/host-cli/bridge-text.ts'

it('a learned line is cut at a terminal alone: a file or a mail gets it whole', () => {
  const line = `- shop: The API schema is generated, ${'never edited '.repeat(10)}by hand. (2026-11-28)`
  const change = { track: 'memory', name: 'shop-facts', isNew: true, description: '', added: [line], removed: [] }
  const report = {
    outcome: 'done',
    changes: [change],
    notices: [],
    milliseconds: 0,
    prepared: { sessions: [], waiting: 0, bad: [], redacted: {} },
    committed: { unfinished: 1, continued: 0, resources: 0, forgotten: [], advanced: [], merged: [], refused: [], redacted: {} },
  } as unknown as BridgeReport
  const full = { ...report, committed: { ...report.committed, created: [], updated: [] } } as unknown as BridgeReport
  expect(bridgeText(full)).toContain('by hand. (2026-11-28)\n')
  const shown = bridgeText(full, true)
  expect(shown).toContain('…\n')
  expect(Math.max(...shown.split('\n').map((text) => text.length))).toBe(110)
})
