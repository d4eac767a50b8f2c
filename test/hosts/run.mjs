/** Runs programs: bounded in time, in a process group of their own, and ended with all they started. */
import { spawn } from 'node:child_process'

const running = new Set()

/**
 * Runs a program to its end and collects what it wrote. It is ended when its time is up, and when `signal` aborts.
 * @param {string[]} command program and arguments; no shell
 * @param {{ cwd: string, env: Record<string, string>, input?: string, timeout?: number, signal?: AbortSignal }} options `timeout` in milliseconds
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string, ended: '' | 'time' | 'signal' }>}
 */
export function run(command, { cwd, env, input = '', timeout = 60_000, signal }) {
  return new Promise((done, failed) => {
    // A group of its own, so that what the program started goes with it; Windows has no groups.
    const child = spawn(command[0], command.slice(1), { cwd, env, stdio: 'pipe', detached: process.platform !== 'win32' })
    let ended = ''
    const stop = (why) => {
      ended = why
      end(child)
    }
    const aborted = () => stop('signal')
    const timer = setTimeout(() => stop('time'), timeout)
    signal?.addEventListener('abort', aborted, { once: true })
    running.add(child)
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    // A program may end without reading its input.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.on('error', failed)
    child.on('close', (code) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', aborted)
      running.delete(child)
      done({ code, stdout: stdout(), stderr: stderr(), ended })
    })
  })
}

/** Ends every program that is still running. */
export function endAll() {
  for (const child of running) end(child)
}

function end(child) {
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

function collect(stream) {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk) => {
    text += chunk
  })
  return () => text
}
