/** The built daemon in a home of its own, on a free port, as a user would leave it running. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { root, temporaryFolder } from './package.mjs'

const START_LIMIT_MS = 30_000
const POLL_MS = 5

const homes = temporaryFolder()
const running = new Set()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * @param {string[]} args
 * @param {Record<string, string>} env beside an empty home and the path
 */
export async function startKeeld(args = [], env = {}) {
  const home = mkdtempSync(join(homes, 'home-'))
  mkdirSync(join(home, 'tmp'))
  const child = spawn(process.execPath, [join(root, 'dist', 'bin', 'keeld.cjs'), '--port', '0', ...args], {
    env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home, TMPDIR: join(home, 'tmp'), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const url = await addressOf(child)
  const state = async () => (await fetch(`${url}/api/state`)).json()
  return {
    url,
    pid: child.pid,
    state,
    /** Until the state is as wanted. */
    async until(wanted) {
      while (!wanted(await state())) await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    },
    async command(name, rest = {}) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${url}/api/command`, { method: 'POST', headers, body: JSON.stringify({ name, ...rest }) })
      if (!answer.ok) throw new Error(`${name} was refused: ${await answer.text()}`)
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** It says on stderr where it is. */
function addressOf(child) {
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => reject(new Error(`keeld did not start: ${said}`)), START_LIMIT_MS)
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(0, 10_000)
      const url = /http:\/\/localhost:\d+(?= )/.exec(said)?.[0]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
    child.once('exit', (code) => reject(new Error(`keeld ended with ${code}: ${said}`)))
  })
}
