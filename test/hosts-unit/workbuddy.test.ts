import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { workbuddy } from '../../src/hosts/workbuddy/spec.ts'
import { hostContract } from '../contract/host.ts'
import { noReport, transcriptSourceContract } from '../contract/transcript-source.ts'
import { lineLog } from '../helpers/line-log.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { assistant, line, raw, SLUG, sessionId, system, user, workbuddyLines, workbuddyLog } from './workbuddy-log.ts'

transcriptSourceContract(workbuddyLines)
hostContract(workbuddyLog)

const session = sessionId(1)

describe('WorkBuddy: what a line is', () => {
  const read = async (...lines: string[]) => await (await lineLog(workbuddyLines)).read(lines)

  it.each([
    ['<user_query>why?</user_query>', 'why?'],
    ['<system-reminder>a date</system-reminder>\n<craft-x>a mode</craft-x>\n<user_query>\nwhy?\n</user_query>\n', 'why?'],
    ['<user_query>what does </user_query> close?</user_query>', 'what does </user_query> close?'],
    ['<system-reminder>a date</system-reminder><task-notification>t</task-notification>why?', 'why?'],
    ['@skill:pdf @skill:xlsx why?', 'why?'],
    ['<user_query>@skill:pdf why?</user_query>', 'why?'],
    ['what is <user_query> for?', 'what is <user_query> for?'],
    ['<system-reminder> is never closed', '<system-reminder> is never closed'],
  ])('takes of %j what a person typed', async (text, typed) => {
    expect((await read(raw(session, 1, text))).texts).toEqual([typed])
  })

  it('leaves out prompts of which nobody typed a word, and what the agent thinks', async () => {
    const { texts } = await read(
      raw(session, 1, '<system-reminder>a date</system-reminder>'),
      raw(session, 2, '<task-notification>done</task-notification>'),
      line('reasoning', session, 3, { rawContent: [{ type: 'reasoning_text', text: 'hm' }] }),
      line('message', session, 4, { role: 'system', content: [{ type: 'input_text', text: 'rules' }] }),
      assistant(session, 5, 'Done.'),
    )
    expect(texts).toEqual(['Done.'])
  })

  it('puts [image] where a picture was, and takes content that is one string', async () => {
    const content = [
      { type: 'input_text', text: 'see' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
    ]
    const { texts } = await read(
      raw(session, 1, '', { content }),
      raw(session, 2, '', { content: 'plain' }),
      raw(session, 3, '', { content: [content[1]] }),
    )
    expect(texts).toEqual(['see\n[image]', 'plain'])
  })

  it('names the tool of a call, gives other input than a command as JSON or as it is, and says what failed', async () => {
    const { records } = await read(
      line('function_call', session, 1, { name: 'Read', callId: 'c1', arguments: '{"file_path":"/a.ts"}' }),
      line('function_call', session, 2, { name: 'Bash', callId: 'c2', arguments: '{"command":"npm te' }),
      line('function_call_result', session, 3, { name: 'Read', callId: 'c1', status: 'failed', output: 'gone' }),
    )
    expect(records.map(({ text, tool }) => ({ text, tool }))).toEqual([
      { text: '{"file_path":"/a.ts"}', tool: { part: 'call', name: 'Read', call: 'c1' } },
      { text: '{"command":"npm te', tool: { part: 'call', name: 'Bash', call: 'c2' } },
      { text: 'gone', tool: { part: 'result', name: 'Read', call: 'c1', failed: true } },
    ])
  })

  it('learns project, branch and title, a person’s title before the program’s', async () => {
    const { facts } = await read(
      user(session, 1, 'hi'),
      raw(session, 2, 'there', { cwd: '/elsewhere', gitBranch: 'fix-tax' }),
      line('ai-title', session, 3, { aiTitle: ' Fix tax ' }),
    )
    expect(facts).toEqual({ project: '/home/u/shop', branch: 'fix-tax', title: 'Fix tax' })
    const named = [line('custom-title', session, 4, { customTitle: 'Checkout' }), line('ai-title', session, 5, { aiTitle: 'Fix' })]
    expect((await read(...named)).facts.title).toBe('Checkout')
  })
})

describe('WorkBuddy: where sessions lie', () => {
  it('takes nothing beside a session for one', async () => {
    const log = await lineLog(workbuddyLines)
    log.write(join(SLUG, `${session}.jsonl`), [user(session, 1, 'hi')])
    for (const name of [`${session}.file-rollback.ndjson`, `${session}.meta.json`, join(session, 'x.txt')])
      log.write(join(SLUG, name), ['{}'])
    expect(log.sessions().map(({ id }) => id)).toEqual([session])
  })

  it('takes of one session under two projects the transcript that was written last, also one without a date', async () => {
    const log = await lineLog(workbuddyLines)
    const paths = [SLUG, 'home-u-moved'].map((slug) => join(slug, `${session}.jsonl`))
    for (const path of paths) {
      log.write(path, [user(session, 1, path)])
      utimesSync(join(log.directory, path), 0, path === paths[0] ? 0 : 1)
    }
    expect(log.sessions().map(({ path }) => path)).toEqual([join(log.directory, paths[1] ?? '')])
    log.remove(paths[1] ?? '')
    expect(log.sessions().map(({ modified }) => modified)).toEqual([0])
  })

  it('finds CodeBuddy’s sessions too, but not where the user named a folder', async () => {
    const home = temporaryFolder()
    const folders = ['.workbuddy', '.codebuddy', '.codebuddy-cn', '.workbuddy-ai'].map((name) => join(home, name, 'projects'))
    folders.forEach((folder, number) => {
      mkdirSync(join(folder, SLUG), { recursive: true })
      writeFileSync(join(folder, SLUG, `${sessionId(number)}.jsonl`), `${user(sessionId(number), 1, 'hi')}\n`)
    })
    const here = { ...system, home }
    const found = async (directory: string) => (await workbuddy.source(directory, here)).discover(noReport).map(({ id }) => id)
    expect(await found(workbuddy.sessionDir(here) ?? '')).toEqual([0, 1, 2, 3].map(sessionId))
    expect(await found(folders[1] ?? '')).toEqual([sessionId(1)])
    const moved = { ...here, env: { WORKBUDDY_HOME: '~/.codebuddy-cn', CODEBUDDY_CONFIG_DIR: join(home, 'none') } }
    const source = await workbuddy.source(workbuddy.sessionDir(moved) ?? '', moved)
    expect(source.discover(noReport).map(({ id }) => id)).toEqual([2, 3].map(sessionId))
  })
})
