import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redact.ts'

const redact = createRedactor()
const root = fileURLToPath(new URL('../..', import.meta.url))
const TEXT = /\.(?:[cm]?[jt]sx?|json|md|txt|ya?ml|html|css|map)$/

/** Text files below a folder in the order of their names, every `step`th. */
function textFiles(folder: string, step: number): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => TEXT.test(name) && !name.startsWith('.'))
    .sort()
    .filter((_, at) => at % step === 0)
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
}

/** The share of lines that redaction changes. */
function flagged(texts: readonly string[]): number {
  let lines = 0
  let changed = 0
  for (const text of texts) {
    const before = text.split('\n')
    lines += before.length
    // Line by line only where there is something: looking at a file as a whole is as strict, and faster.
    if (redact(text).text !== text) changed += Math.max(before.filter((line) => redact(line).text !== line).length, 1)
  }
  expect(lines).toBeGreaterThan(1000)
  return changed / lines
}

describe('ordinary text', () => {
  it('holds no secret where it is the lock file of this repository', () => {
    expect(flagged([readFileSync(join(root, 'package-lock.json'), 'utf8')])).toBe(0)
  })

  it('is changed in fewer than 1 of 1,000 lines of installed packages', () => {
    expect(flagged(textFiles('node_modules', 8))).toBeLessThan(0.001)
  })

  it('is changed in fewer than 1 of 1,000 lines of this repository', () => {
    expect(flagged([...textFiles('src', 1), ...textFiles('docs', 1), ...textFiles('scripts', 1), ...textFiles('bench', 1)])).toBeLessThan(
      0.001,
    )
  })
})
