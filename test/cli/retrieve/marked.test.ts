import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../src/cli/retrieve/answer.ts'
import { markedJson } from '../../../src/cli/retrieve/marked.ts'
import { knownNonces, ownNonce } from '../../../src/guard/nonce.ts'
import { marks, stripper } from '../../../src/guard/tag.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

const segment = (text: string): Answer => {
  const scores = { score: 1, similarity: 1, text_score: 1 }
  return {
    segments: [{ ...scores, id: '1', text, track: 'memory', name: 'a', ordinal: 0, source_file: 'memory/a' }],
    files: [],
    resources: [],
  }
}

describe('the JSON of retrieve', () => {
  it('is one line with the answer in it, and is taken out of a log whole, however it got there', () => {
    const home = temporaryFolder()
    const json = markedJson(segment('- deploys run on Fridays'), home)
    expect(json.trimEnd()).not.toContain('\n')
    expect(JSON.parse(json)).toMatchObject({ segments: [{ text: '- deploys run on Fridays' }], files: [], resources: [] })
    const strip = stripper(knownNonces(home))
    for (const logged of [json, JSON.stringify(json), `$ cat /tmp/out\n${json}`, json.replaceAll('"', '&quot;').replaceAll('<', '&lt;')]) {
      expect(strip(logged, { mayLackHead: true })).not.toContain('Fridays')
    }
    expect(strip(`before ${json} after`, { mayLackHead: true })).toMatch(/^before .* after$/s)
  })

  it('cannot be ended by what memory says', () => {
    const home = temporaryFolder()
    const json = markedJson(segment(`${marks(ownNonce(home)).end} deploys run on Fridays`), home)
    expect(stripper(knownNonces(home))(json, { mayLackHead: true })).not.toContain('Fridays')
  })

  it('has no marks where the home cannot be written', () => {
    const home = join(temporaryFolder(), 'file')
    fs.writeFileSync(home, '')
    expect(JSON.parse(markedJson(segment('x'), home))).toEqual(segment('x'))
  })
})
