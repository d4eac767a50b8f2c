import { expect, test } from 'vitest'
import { toConversation, turnIds } from '../../bench/recall/locomo.ts'
import { measure } from '../../bench/recall/measure.ts'

const raw = {
  sample_id: 'made-up',
  conversation: {
    speaker_a: 'Guide',
    session_1_date_time: 'noon',
    session_1: [
      { dia_id: 'D1:1', speaker: 'Guide', text: 'I bought\n a boat.' },
      { dia_id: 'D1:2', speaker: 'Guest', text: 'Nice!', blip_caption: 'a red boat' },
    ],
    session_2: [{ dia_id: 'D2:1', speaker: 'Guest', text: 'It sank.' }],
  },
  qa: [
    { question: 'What did the guide buy, and what became of it?', evidence: ['D1:1; D2:1', 'D1:1'], category: 1 },
    { question: 'Who sank?', evidence: ['D', 'D9:9'], category: 4 },
    { question: 'Did the guest sink?', evidence: ['D2:1'], category: 5 },
    { question: 'How many?', category: 2 },
  ],
}

test('turns become lines, and evidence the turns and sessions that it names', () => {
  const { sessions, questions, dropped } = toConversation(raw)
  expect(sessions.map(({ name, turns }) => [name, ...turns.map(({ line }) => line)])).toEqual([
    ['session_1', 'Guide: I bought a boat.', 'Guest: Nice! [image: a red boat]'],
    ['session_2', 'Guest: It sank.'],
  ])
  expect(questions).toEqual([
    { text: 'What did the guide buy, and what became of it?', evidence: ['D1:1', 'D2:1'], sessions: ['session_1', 'session_2'] },
  ])
  expect(dropped).toEqual({ evidence: 2, questions: 2 })
})

test('malformed evidence is read as far as it can be', () => {
  expect(turnIds('D8:6; D9:17')).toEqual(['D8:6', 'D9:17'])
  expect(turnIds('D:11:26')).toEqual(['D11:26'])
  expect(turnIds('D9:1 D4:04')).toEqual(['D9:1', 'D4:4'])
  expect(turnIds('D')).toEqual(['D'])
})

test('the figures count ranks as they are defined', () => {
  const question = { text: '', evidence: ['D1:1', 'D2:1'], sessions: ['session_1', 'session_2'] }
  const none = { question, answer: { sessions: [], turns: [] } }
  const sixth = ['a', 'b', 'c', 'd', 'e', 'session_2']
  const late = { question, answer: { sessions: sixth, turns: [[], ['D1:1', 'D1:9'], [], [], [], ['D2:1']] } }
  const { session, turn } = measure([none, late])
  expect(session).toEqual({ r1: 0, r5: 0, r10: 0.5, mrr: 0.083, all5: 0 })
  expect(turn).toEqual({ r5: 0.25, r10: 0.5, mrr: 0.25 })
})
