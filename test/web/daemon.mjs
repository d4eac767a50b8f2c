/** The built `keeld` in a home of its own. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist', 'bin', 'keeld.cjs')
const START_LIMIT = 20_000

/** @param {Record<string, string>} env settings; the tasks are in a `todo.txt`, the goals in the home */
export function daemonIn(env) {
  const home = mkdtempSync(join(tmpdir(), 'keel-web-'))
  const todo = join(home, 'todo.txt')
  writeFileSync(todo, 'Water the plants\n')
  writeFileSync(join(home, 'goals.md'), '- Move every day.\n')
  mkdirSync(join(home, 'work'))
  let child
  let log = ''
  let port = '0'
  // Whatever ends the tests ends the daemon.
  const end = () => child?.kill('SIGKILL')
  process.once('exit', end)

  return {
    home,
    tasks: () => linesOf(todo),
    /** What the task tool of `task-tool.mjs` has. */
    added: () => linesOf(join(home, 'added.txt')),
    log: () => log,
    /** At the address of before, once it had one. @returns {Promise<string>} the page's address */
    async start() {
      child = spawn(process.execPath, [PROGRAM, '--port', port], {
        cwd: join(home, 'work'),
        env: {
          PATH: process.env.PATH,
          HOME: home,
          USERPROFILE: home,
          KEEL_TASKS: 'todo-txt',
          KEEL_TODO_TXT: todo,
          KEEL_MEMU: 'off',
          NO_PROXY: '127.0.0.1,localhost',
          ...env,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const url = await ready(child, (text) => {
        log += text
      })
      port = new URL(url).port
      return url
    },
    async stop() {
      const running = child
      child = undefined
      if (running === undefined || running.exitCode !== null) return
      const ended = new Promise((done) => running.once('close', done))
      running.kill('SIGTERM')
      await ended
    },
    remove() {
      process.off('exit', end)
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function linesOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
}

function ready(child, onText) {
  return new Promise((done, failed) => {
    let text = ''
    const timer = setTimeout(() => failed(new Error(`keeld did not start in time\n${text}`)), START_LIMIT)
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (more) => {
      onText(more)
      text += more
      const url = /ready at (http:\S+)/.exec(text)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      done(url)
    })
    child.once('error', failed)
    child.once('close', (code) => {
      clearTimeout(timer)
      failed(new Error(`keeld ended with ${code}\n${text}`))
    })
  })
}
