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
      Array.from({ length: 2000 }, (_, number) => call('memu doctor', `call-${number}`)),
      session,
    )
    expect(session.openCalls).toHaveLength(512)
    expect(session.openCalls.at(-1)).toBe('call-1999')
  })

  it('returns a record that holds nothing of ours as it is', () => {
    const record = said('what does memu retrieve print, and what is <memu-recalled-…>?')
    expect(guard().pass(record)).toBe(record)
  })

  it('knows the results of many calls of ours that were made at once, and of one with a very long id', () => {
    const ids = [...Array.from({ length: 200 }, (_, at) => `id-${at}`), 'x'.repeat(100_000)]
    const session = guard()
    expect(passed([...ids.map((id) => call('memu doctor', id)), ...ids.map((id) => result('memory', id))], session)).toEqual([])
    expect(JSON.stringify(session.openCalls).length).toBeLessThan(10_000)
  })
})

describe('what a call of ours leaves behind', () => {
  const input = (fields: object, id: string, name: string): GuardedRecord => call(JSON.stringify(fields), id, name)

  it.each([
    ['Command running in background with ID: bash_1', 'BashOutput', { bash_id: 'bash_1' }, { bash_id: 'bash_2' }],
    [
      'Command running in background with ID: b1. Output is being written to: /tmp/t/b1.output',
      'Read',
      { file_path: '/tmp/t/b1.output' },
      {},
    ],
    ['Command running in background with ID: b77', 'TaskOutput', { task_id: 'b77', block: true }, { task_id: 'b7' }],
    ['Process running with session ID 5\nOutput:\n', 'write_stdin', { session_id: 5, chars: '' }, { session_id: 6, chars: '5' }],
    ['Script running with cell ID 12', 'wait', { cell_id: '12' }, { cell_id: '1' }],
    [
      'Command still running (session amber-otter, pid 77).',
      'process',
      { action: 'poll', sessionId: 'amber-otter' },
      { sessionId: 'red-otter' },
    ],
    ['{"output":"Background process started","session_id":"proc_9"}', 'process', { session_id: 'proc_9' }, { session_id: 'proc_8' }],
    ['<command started in background with shellId: 3>', 'read_bash', { shellId: '3', delay: 5 }, { shellId: '4' }],
  ])('a process in the background is ours to the end: %s', (said, tool, asks, other) => {
    const first = guard()
    expect(passed([call('memu-codex bridge', 'a'), result(said, 'a')], first)).toEqual([])
    const session = guard(JSON.parse(JSON.stringify(first.openCalls)) as string[])
    const records = [input(asks, 'b', tool), result('Learned: we deploy on Fridays', 'b'), input(other, 'c', tool), result('mine', 'c')]
    expect(passed(records, session)).toEqual([JSON.stringify(other), 'mine'])
  })

  it('a process goes on over its own answers, and its name may be another one’s later', () => {
    const waits = input({ session_id: 5 }, 'b', 'write_stdin')
    const records = [call('memu-codex bridge', 'a'), result('Process running with session ID 5', 'a')]
    const more = [waits, result('Process running with session ID 5', 'b'), waits, result('memory', 'b')]
    const others = [call('npm test', 'c'), result('Process running with session ID 5', 'c'), input({ session_id: 5 }, 'd', 'write_stdin')]
    expect(passed([...records, ...more])).toEqual([])
    expect(passed([...records, ...others, result('12 passed', 'd')])).toHaveLength(4)
    expect(passed([call('npm test', 'c'), result('Process running with session ID 5', 'c'), waits, result('12 passed', 'b')])).toHaveLength(
      4,
    )
  })

  it.each([
    ['memu retrieve x > /tmp/o.json', 'jq -r .segments[].text /tmp/o.json'],
    ['memu retrieve x --format text 2>&1 | tee notes/o.txt', 'head -3 notes/o.txt'],
    ['cp ~/.memu/view/memory/a.md /tmp/a.md', "cat '/tmp/a.md' | wc"],
    ["bash -lc 'memu retrieve x > /tmp/o.json'", 'python3 -m json.tool < /tmp/o.json'],
  ])('a file with its output is ours: %s, then %s', (writes, reads) => {
    const first = guard()
    expect(passed([call(writes, 'a'), result('', 'a')], first)).toEqual([])
    const session = guard(first.openCalls)
    expect(passed([call('ls /tmp', 'b'), result('o.json', 'b'), call(reads, 'c'), result('memory', 'c')], session)).toEqual([
      'ls /tmp',
      'o.json',
    ])
  })

  it('a file that others write anew is theirs, and what is read of it too', () => {
    const ours = [call('memu retrieve x > /tmp/o.txt', 'a'), result('', 'a')]
    const theirs = [call('npm test > /tmp/o.txt', 'b'), result('', 'b'), call('cat /tmp/o.txt', 'c'), result('12 passed', 'c')]
    expect(passed([...ours, ...theirs])).toEqual(['npm test > /tmp/o.txt', '', 'cat /tmp/o.txt', '12 passed'])
    const write = call('{"file_path":"/tmp/o.txt","content":"mine"}', 'd', 'Write')
    expect(passed([...ours, write, result('written', 'd')])).toHaveLength(2)
  })
})
