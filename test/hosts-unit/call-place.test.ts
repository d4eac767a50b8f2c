/** Where a call says that it runs: a relative path in it leads there, and the loop guard has to know. */
import { describe, expect, it } from 'vitest'
import { toolCall } from '../../src/hosts/genai-parts.ts'
import { toolFields } from '../../src/hosts/response-items.ts'
import { toolPart } from '../../src/hosts/tool-blocks.ts'

const TREE = '/home/dev/.memu/hosts/codex'
const ran = (field: string) => ({ command: 'cat memory/shop.md', [field]: TREE })

describe('a call that says where it runs', () => {
  it.each([
    [
      'a function call of Codex',
      () => toolFields({ type: 'function_call', name: 'shell', call_id: '1', arguments: JSON.stringify(ran('workdir')) }),
    ],
    ['a local shell call', () => toolFields({ type: 'local_shell_call', call_id: '1', action: ran('working_directory') })],
    ['a part of Gemini CLI', () => toolCall({ id: '1', name: 'run_shell_command', args: ran('dir_path') })],
    ['a block of tool use', () => toolPart({ type: 'tool_use', id: '1', name: 'bash', input: ran('cwd') })],
  ])('keeps that beside its command line: %s', (_, fields) => {
    expect(fields()).toMatchObject({ text: 'cat memory/shop.md', tool: { part: 'call', call: '1', directory: TREE } })
  })

  it('has nothing there where it says nothing, or nothing that is a place', () => {
    for (const cwd of [undefined, '', 7, null]) {
      expect(toolPart({ type: 'tool_use', id: '1', name: 'bash', input: { command: 'ls', cwd } })?.tool).toEqual({
        part: 'call',
        name: 'bash',
        call: '1',
      })
    }
  })
})
