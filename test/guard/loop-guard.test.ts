import { describe, expect, it } from 'vitest'
import { type GuardedRecord, loopGuard } from '../../src/guard/loop-guard.ts'
import { wrap } from '../../src/guard/tag.ts'

const NONCE = 'abcdefabcdefabcdefabcdefabcdefab'
const guard = loopGuard({ nonces: [NONCE], roots: [], home: '/home/dev' })

const said = (text: string): GuardedRecord => ({ kind: 'message', text })
const call = (text: string, id?: string, name = 'Bash'): GuardedRecord => ({
  kind: 'tool',
  text,
  tool: { part: 'call', name, ...(id && { call: id }) },
})
const result = (text: string, id?: string): GuardedRecord => ({ kind: 'tool', text, tool: { part: 'result', ...(id && { call: id }) } })

function passed(records: readonly GuardedRecord[], session = guard()): string[] {
  return records.flatMap((record) => session.pass(record)?.text ?? [])
}

describe('the loop guard', () => {
  it('leaves out our calls and their results, in whatever order results come, and nothing else', () => {
    const records = [
      said('how do we deploy?'),
      call('npm test', 'a'),
      call('memu retrieve deploy', 'b'),
      call('cat ~/.memu/view/memory/shop.md', 'c'),
      result('- deploys run on Fridays', 'c'),
      result('12 passed', 'a'),
      result('{"segments":[]}', 'b'),
      said('on Fridays'),
    ]
    expect(passed(records)).toEqual(['how do we deploy?', 'npm test', '12 passed', 'on Fridays'])
  })

  it('pairs calls without an id with the results that follow, in their order where several were made at once', () => {
    expect(passed([call('memu doctor'), result('all is well'), call('ls'), result('a b')])).toEqual(['ls', 'a b'])
    const [ours, other] = [call('memu doctor'), call('ls')]
    for (const calls of [
      [ours, ours],
      [ours, other],
      [other, ours],
      [other, ours, ours, other],
    ]) {
      const results = calls.map((one) => result(one === ours ? 'memory' : 'a b'))
      const others = calls.filter((one) => one === other)
      expect(passed([...calls, ...results])).toEqual([...others.map(() => 'ls'), ...others.map(() => 'a b')])
    }
  })

  it('waits for no result of a call without an id once the agent went on to another, nor lets it shift those that follow', () => {
    const pairs = [call('ls'), result('a b'), call('memu doctor'), result('memory'), call('pwd'), result('/srv')]
    expect(passed([call('memu doctor'), said('stop'), ...pairs])).toEqual(['stop', 'ls', 'a b', 'pwd', '/srv'])
    expect(passed([call('memu doctor'), said('I look'), result('memory'), said('it says')])).toEqual(['I look', 'it says'])
  })

  it('knows the results of calls without an id that an earlier read of the session ended with', () => {
    const before = guard()
    expect(passed([call('ls'), call('memu doctor')], before)).toEqual(['ls'])
    const stored = JSON.parse(JSON.stringify(before.openCalls)) as string[]
    expect(passed([result('a b'), result('memory'), call('pwd'), result('/srv')], guard(stored))).toEqual(['a b', 'pwd', '/srv'])
  })

  it('leaves out what runs in a tree of memU, whatever its paths look like', () => {
    const inTree = (directory: string): GuardedRecord => ({
      kind: 'tool',
      text: 'cat memory/shop.md',
      tool: { part: 'call', name: 'shell', call: 'd', directory },
    })
    expect(passed([inTree('/home/dev/.memu/hosts/codex'), result('deploys run on Fridays', 'd')])).toEqual([])
    expect(passed([inTree('/srv/shop'), result('a shop', 'd')])).toEqual(['cat memory/shop.md', 'a shop'])
  })

  it('knows the result of a call that an earlier read of the session ended with', () => {
    const before = guard()
    expect(passed([call('memu retrieve x', 'late')], before)).toEqual([])
    const stored = JSON.parse(JSON.stringify(before.openCalls)) as string[]
    expect(passed([result('memory', 'late'), result('mine', 'other')], guard(stored))).toEqual(['mine'])
    expect(passed([result('memory', 'late')], guard())).toEqual(['memory'])
  })

  it('leaves out every result of a call of ours, in parts and once more in a later read, until another call has its id', () => {
    const before = guard()
    const parts = [result('part of memory', 'c'), result('all of memory', 'c')]
    expect(passed([call('memu show x', 'c'), ...parts, said('so it is')], before)).toEqual(['so it is'])
    const after = [result('all of memory', 'c'), call('ls', 'c'), result('a b', 'c')]
    expect(passed(after, guard(before.openCalls))).toEqual(['ls', 'a b'])
  })

  it('takes blocks out of messages, inputs and results, and drops a record of which nothing is left', () => {
    const block = wrap('- shop: deploys run on Fridays', NONCE)
    expect(
      passed([said(block), said(`${block}\n\nfix the build`), call(`echo '${block}' | wc`, 'a'), result(`ok\n${block}`, 'a')]),
    ).toEqual(['fix the build', "echo '' | wc", 'ok'])
    expect(guard().text(`Fix the build ${block}`)).toBe('Fix the build')
  })

  it('forgets calls whose results never come, rather than pile them up', () => {
    const session = guard()
    passed(
      Array.from({ length: 500 }, (_, number) => call('memu doctor', `call-${number}`)),
      session,
    )
    expect(session.openCalls).toHaveLength(64)
    expect(session.openCalls.at(-1)).toBe('call-499')
  })

  it('returns a record that holds nothing of ours as it is', () => {
    const record = said('what does memu retrieve print, and what is <memu-recalled-…>?')
    expect(guard().pass(record)).toBe(record)
  })
})
