/** A model server on loopback that says what a test wants, when it wants it. */
import { once } from 'node:events'
import { createServer } from 'node:http'

/** @typedef {{ next_action: string, rationale: string }} Answer */

export async function fakeModel() {
  /** @type {Answer[]} */
  const answers = []
  /** @type {Answer | undefined} */
  let fixed
  let held
  let isBroken = false
  let count = 0
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    if (held !== undefined) await held.promise
    if (isBroken) return void response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"out of memory"}}')
    count += 1
    const answer = fixed ??
      answers.shift() ?? { next_action: `Small thing number ${count}`, rationale: 'It takes five minutes and no screen.' }
    const message = { role: 'assistant', content: JSON.stringify(answer) }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    /** What comes next; without it something that was not said before. @param {string} next_action */
    say: (next_action, rationale = 'It takes five minutes and no screen.') => void answers.push({ next_action, rationale }),
    /** The same however often it is asked; undefined ends that. @param {Answer | undefined} answer */
    insist(answer) {
      fixed = answer
    },
    /** Nothing is answered until the function that this returns is called. */
    hold() {
      let release
      held = { promise: new Promise((done) => (release = done)) }
      return () => {
        held = undefined
        release()
      }
    },
    set broken(value) {
      isBroken = value
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
