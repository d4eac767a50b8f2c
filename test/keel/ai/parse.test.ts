import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonObjects } from '../../../src/keel/ai/json-objects.ts'
import { parseProposal } from '../../../src/keel/ai/parse.ts'
import { answered } from './fake-backend.ts'

const walk = { proposal: { nextAction: 'walk', rationale: 'because' } }
const plain = answered('walk')

describe('an answer that holds a proposal', () => {
  it.each([
    ['is the object alone', plain],
    ['stands in a code fence', `\`\`\`json\n${plain}\n\`\`\``],
    ['stands among words', `Sure! Here it is:\n${plain}\nHave fun {really}.`],
    ['comes behind thoughts', `<think>{"next_action":"sleep","rationale":"a draft"}</think>\n${plain}`],
    ['comes behind thoughts whose opening tag the server kept', `Let me see: {"next_action":"sleep","rationale":"x"}\n</think>${plain}`],
    ['comes behind several thoughts', `<thinking>one</thinking><think>two</think> ${plain}`],
    ['lies inside of another object', `{"proposal": ${plain}, "ok": true}`],
    ['comes behind the schema', `{"type":"object","properties":{"next_action":{"type":"string"},"rationale":{"type":"string"}}} ${plain}`],
    ['comes behind braces that are no JSON', `function f() { return {}; } ${plain}`],
    ['comes behind a brace that is never closed', `{ hm, well: ${plain}`],
    ['is the first of two', `${plain}\n${answered('sleep')}`],
    ['has keys that nobody asked for', '{"confidence":0.9,"next_action":"walk","rationale":"because","steps":["a"]}'],
    ['begins with a byte order mark', `\ufeff${plain}`],
  ])('is read where it %s', (_, answer) => {
    expect(parseProposal(answer)).toEqual(walk)
  })

  it('becomes one line, without control characters and half surrogate pairs', () => {
    const answer = '{"next_action":"  call\\nmum\\u0007 \\u202enow \\ud800","rationale":"a\\u0000b\\r\\nc"}'
    expect(parseProposal(answer)).toEqual({ proposal: { nextAction: 'call mum now \ufffd', rationale: 'a b c' } })
  })

  it('may have an action of 200 characters, also where these are emoji, and none of 201', () => {
    expect(parseProposal(answered('🚶'.repeat(200)))).toMatchObject({ proposal: { nextAction: '🚶'.repeat(200) } })
    expect(parseProposal(answered('x'.repeat(201)))).toEqual({ problem: '"next_action" has 201 characters, and may have 200' })
  })

  it('has its rationale cut at 500 characters, and may do without one', () => {
    const parsed = parseProposal(answered('walk', '🌲'.repeat(600)))
    expect('proposal' in parsed && [...parsed.proposal.rationale].length).toBe(500)
    expect('proposal' in parsed && parsed.proposal.rationale.endsWith('🌲…')).toBe(true)
    expect(parseProposal(answered('walk', ''))).toEqual({ proposal: { nextAction: 'walk', rationale: '' } })
  })

  it('keeps what looks like the end of a thought inside of its words', () => {
    expect(parseProposal(answered('close </think> tags'))).toMatchObject({ proposal: { nextAction: 'close </think> tags' } })
  })
})

describe('an answer without a proposal', () => {
  it.each([
    ['', 'the answer is empty'],
    [' \n', 'the answer is empty'],
    ['<think>forever {"next_action":"walk","rationale":"draft"}', 'the answer is empty'],
    ['Go for a walk.', 'the answer holds no JSON object'],
    ['[1, 2]', 'the answer holds no JSON object'],
    ['{"next_action":"walk","rationale":"because"', 'the answer holds no JSON object'],
    ["{'next_action': 'walk'}", 'the answer holds no JSON object'],
    ['{}', '"next_action" is not a string'],
    ['{"next_action":["walk"],"rationale":""}', '"next_action" is not a string'],
    ['{"next_action":"walk"}', '"rationale" is not a string'],
    ['{"next_action":" \\u0000\\n","rationale":""}', '"next_action" is empty'],
    ['{"next_action":"\\u2060\\u00ad\\udb40\\udc41","rationale":"Nobody sees it."}', '"next_action" is empty'],
  ])('%j: %s', (answer, problem) => {
    expect(parseProposal(answer)).toEqual({ problem })
  })

  it('takes linear time, also where it is nothing but braces or tags', () => {
    for (const part of ['{', '}', '{"', '<think>', '</think>', '\\"{']) {
      expect(parseProposal(part.repeat(300_000))).toHaveProperty('problem')
    }
  })
})

/** Pieces that answers are made of, and break at. */
const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(
      '{',
      '}',
      '"',
      '\\',
      ':',
      ',',
      '[',
      ']',
      '```json\n',
      '<think>',
      '</think>',
      '\n',
      plain,
      '{"next_action":',
      '"rationale"',
    ),
    fc.string({ unit: 'binary', maxLength: 12 }),
  ),
  { maxLength: 30 },
)

describe('reading any text', () => {
  it('never throws, and gives only what a proposal may be', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const parsed = parseProposal(parts.join(''))
        if (!('proposal' in parsed)) return parsed.problem !== ''
        const { nextAction, rationale } = parsed.proposal
        expect([...nextAction].length).toBeGreaterThan(0)
        expect([...nextAction].length).toBeLessThanOrEqual(200)
        expect([...rationale].length).toBeLessThanOrEqual(500)
        expect(nextAction + rationale).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]|\p{Surrogate}/u)
        return true
      }),
      { numRuns: 2_000 },
    )
  })

  it('finds any proposal among any words without braces', () => {
    const words = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replace(/[{}<]/g, ''))
    const action = fc.string({ unit: 'binary', minLength: 1, maxLength: 90 }).map((text) => `a${text}`)
    fc.assert(
      fc.property(words, action, fc.string({ unit: 'binary', maxLength: 90 }), words, (before, next_action, rationale, after) => {
        const alone = parseProposal(JSON.stringify({ next_action, rationale }))
        expect(alone).toHaveProperty('proposal')
        expect(parseProposal(`${before}${JSON.stringify({ rationale, next_action }, null, 2)}${after}`)).toEqual(alone)
      }),
      { numRuns: 500 },
    )
  })

  it('never throws on an answer that was damaged on its way, and never takes more out of it than was in it', () => {
    const whole = `<think>hm { "x" }</think>\n\`\`\`json\n${JSON.stringify({ next_action: 'Call "mum" 🌲', rationale: 'a\\b {c} \u0000' }, null, 2)}\n\`\`\``
    const damage = fc.array(fc.tuple(fc.nat(whole.length), fc.nat(6), fc.constantFrom('', '{', '}', '"', '\\', '\ud83c', '\u0000', 'x')), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(damage, (cuts) => {
        let answer = whole
        for (const [at, length, instead] of cuts) answer = answer.slice(0, at) + instead + answer.slice(at + length)
        const parsed = parseProposal(answer)
        if (!('proposal' in parsed)) return parsed.problem.length < 200
        const { nextAction, rationale } = parsed.proposal
        return nextAction !== '' && nextAction.length + rationale.length <= answer.length
      }),
      { numRuns: 3_000 },
    )
  })

  it('finds every object that is there, in its order', () => {
    const value = fc.dictionary(fc.string({ unit: 'binary' }), fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean()), {
      maxKeys: 4,
    })
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), (values) => {
        const text = values.map((entry) => JSON.stringify(entry)).join(' and ')
        // Objects in strings are found as well; those that stand by themselves come in order.
        const found = [...jsonObjects(text)].map((entry) => JSON.stringify(entry))
        let at = 0
        for (const wanted of values.map((entry) => JSON.stringify(JSON.parse(JSON.stringify(entry))))) {
          at = found.indexOf(wanted, at) + 1
          expect(at).toBeGreaterThan(0)
        }
      }),
      { numRuns: 300 },
    )
  })
})
