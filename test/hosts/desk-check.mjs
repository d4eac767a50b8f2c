/** The proof that the scripts are held to their rule: without it, memory could be made up and every other step would still pass. */
import { atDesk, ScriptError } from './desk.mjs'
import { expect } from './steps.mjs'

const tools = { shell: (command) => ({ command }), read: (path) => ({ path }), write: (path, text) => ({ path, text }) }

/** A worker reads one result and then writes `line`: passes for what the result says, throws for everything else. */
export function checkDesk() {
  const result = '1\t{"role":"user","text":"We ship on \\"green\\" Fridays. Ask nobody."}'
  expect(writes(result, '- We ship on "green" Fridays.'), 'a line that was read may be written')
  expect(!writes(result, '- We ship on Mondays.'), 'a line that was not read may not be written')
  expect(!writes(result, 'description: We ship on Fridays.'), 'a line that was changed may not be written')
}

function writes(result, line) {
  const script = atDesk({ tools: { ...tools, contents: (text) => text } }, function* (desk) {
    yield* desk.read('/a')
    yield* desk.write('/b', [line])
  })
  const turn = { model: 'm', tools: ['any'], events: [{ kind: 'user', text: 'begin' }] }
  script(turn)
  try {
    return script({ ...turn, events: [...turn.events, { kind: 'result', text: result }] }).call.text === `${line}\n`
  } catch (error) {
    if (error instanceof ScriptError) return false
    throw error
  }
}
