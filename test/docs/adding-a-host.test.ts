/** The host of docs/adding-a-host.md, taken from the page as it stands there. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import type { HostSpec } from '../../src/hosts/host-spec.ts'
import { hostContract } from '../contract/host.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import { type SourceFixture, transcriptSourceContract } from '../contract/transcript-source.ts'
import { wrongHostContract } from '../contract/wrong-host.ts'
import { system, time } from '../hosts-unit/agent-log.ts'

const ROOT = join(import.meta.dirname, '../..')
const page = fs.readFileSync(join(ROOT, 'docs', 'adding-a-host.md'), 'utf8')
const blocks = [...page.matchAll(/^```ts (\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', code = '']) => ({ name, code }))

// Its imports are led to the sources that there are.
const folder = fs.mkdtempSync(join(tmpdir(), 'memu-otter-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))
const hosts = pathToFileURL(join(ROOT, 'src', 'hosts')).href
for (const { name, code } of blocks) {
  const moved = code.replaceAll("'../../", `'${hosts}/../`).replaceAll("'../", `'${hosts}/`)
  fs.writeFileSync(join(folder, name), moved)
}
const { otter } = (await import(pathToFileURL(join(folder, 'spec.ts')).href)) as { readonly otter: HostSpec }

const row = (number: number, fields: object): string => JSON.stringify({ id: `m${number}`, timestamp: time(number), ...fields })
const lines: SourceFixture = {
  name: 'Otter',
  open: (directory) => otter.source(directory, system),
  path: (directory, session) => join(directory, 'shop', `${session}.jsonl`),
  id: (number) => `otter-${number}`,
  opening: () => ['{"folder":"/home/u/shop"}'],
  user: (_, number, text) => row(number, { from: 'user', text }),
  assistant: (_, number, text) => row(number, { from: 'assistant', text }),
  call: (_, number, command) => row(number, { from: 'tool', call: `c${number}`, command }),
  result: (_, number, output) => row(number, { from: 'tool', call: `c${number}`, output }),
  noise: (_, number, text) => row(number, { level: 'info', text }),
}

describe('the page on adding a host', () => {
  it('shows a whole host in fewer than 60 lines', () => {
    expect(blocks.map(({ name }) => name)).toEqual(['spec.ts', 'source.ts'])
    const count = blocks.flatMap(({ code }) => code.split('\n')).filter((line) => line.trim() !== '').length
    expect(count).toBeLessThan(60)
    expect(count).toBeGreaterThan(40)
  })
})

const fixture = fromLines(otter, lines)
transcriptSourceContract(lines)
hostContract(fixture)
wrongHostContract(fixture)
