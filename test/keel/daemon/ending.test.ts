/** How the built daemon ends, and what it survives: nothing that it started or made is left behind. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtKeeld, type Daemon, daemonAt, isGone, proposed } from './built-keeld.ts'

const keeld = builtKeeld()
const LOCAL = { KEEL_MEMORY: 'local', KEEL_TASKS: 'none' }

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

/** Once it answers: its log is not to be read. */
async function answering(port: string, child: ChildProcess): Promise<Daemon> {
  const ended = new Promise<number | null>((resolve) => void child.once('exit', resolve))
  const daemon = daemonAt(`http://localhost:${port}`, keeld.own(child), ended)
  const answers = (): Promise<boolean> =>
    daemon.state().then(
      () => true,
      () => false,
    )
  await expect.poll(answers, { timeout: 20_000 }).toBe(true)
  return daemon
}

describe.skipIf(process.platform === 'win32')('the end of keeld', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('comes after that of a proposer that ignores the wish to end (%s)', async (signal) => {
    const { path, started } = keeld.stubborn('claude')
    const daemon = await keeld.start([], { ...LOCAL, KEEL_AI_BACKEND: 'claude', KEEL_AI_PROGRAM: path })
    expect(await daemon.command('start')).toBe(202)
    const pid = await started()
    expect(await daemon.stop(signal)).toBe(0)
    expect(isGone(pid)).toBe(true)
    expect(fs.readdirSync(keeld.temporary)).toEqual([])
  })

  it('comes at once with a second Ctrl-C, and takes the programs, their groups and their folders along', async () => {
    const { path, started } = keeld.stubborn(
      'claude',
      `sh -c 'trap "" TERM; echo $$ > ${join(keeld.home, 'below')}; while :; do sleep 0.1; done' &`,
    )
    const daemon = await keeld.start([], { ...LOCAL, KEEL_AI_BACKEND: 'claude', KEEL_AI_PROGRAM: path })
    expect(await daemon.command('start')).toBe(202)
    const pid = await started()
    const below = (): string => fs.readFileSync(join(keeld.home, 'below'), 'utf8')
    await expect.poll(() => fs.existsSync(join(keeld.home, 'below')) && below().endsWith('\n')).toBe(true)
    expect(fs.readdirSync(keeld.temporary)).not.toEqual([])
    daemon.child.kill('SIGSTOP') // Both wait for it: however fast it stops, the second one finds it stopping.
    daemon.child.kill('SIGINT')
    daemon.child.kill('SIGCONT')
    await expect.poll(() => daemon.stderr()).toContain('keeld: stopping')
    const asking = setInterval(() => daemon.child.kill('SIGINT'), 20)
    expect(await daemon.ended).toBe(130)
    clearInterval(asking)
    await expect.poll(() => [isGone(pid), isGone(Number(below()))]).toEqual([true, true])
    expect(fs.readdirSync(keeld.temporary)).toEqual([])
  })

  it('takes the folder of the demo along when the terminal is closed', async () => {
    const daemon = await keeld.start(['--demo'])
    expect(fs.readdirSync(keeld.temporary)).not.toEqual([])
    expect(await daemon.stop('SIGHUP')).toBe(0)
    expect(fs.readdirSync(keeld.temporary)).toEqual([])
  })

  it.skipIf(spawnSync('script', ['--version']).status !== 0)('is an orderly one in a terminal that is gone', async () => {
    const port = await freePort()
    const [pid, code] = [join(keeld.home, 'pid'), join(keeld.home, 'code')]
    // The shell stays, to tell how it ended; `script` is the terminal.
    const inside = `trap '' HUP; "${process.execPath}" "${keeld.program}" --demo --port ${port} & echo $! > "${pid}"; wait $!; echo $? > "${code}"`
    const options = { cwd: keeld.home, env: { ...keeld.env, SHELL: '/bin/sh' }, stdio: 'pipe' } as const
    const terminal = spawn('script', ['-qec', inside, '/dev/null'], options)
    const daemon = await answering(port, terminal)
    expect(await daemon.stop('SIGKILL')).toBeNull()
    await proposed(daemon)
    process.kill(Number(fs.readFileSync(pid, 'utf8')), 'SIGHUP')
    await expect.poll(() => fs.existsSync(code) && fs.readFileSync(code, 'utf8'), { timeout: 20_000 }).toBe('0\n')
    expect(fs.readdirSync(keeld.temporary)).toEqual([])
  })

  it('never says that a task was added that a stubborn tool was adding', async () => {
    const { path, started } = keeld.stubborn('tasks', '[ "$1" = add ] || exit 0')
    const daemon = await keeld.start([], { KEEL_TASKS: 'marvin', KEEL_MARVIN_CMD: path, KEEL_MEMORY: 'local' })
    const { id } = await proposed(daemon)
    const confirmed = daemon.command('confirm', { proposal_id: id }).catch(() => 'cut')
    const pid = await started()
    expect(await daemon.stop()).toBe(0)
    expect(await confirmed).not.toBe(200)
    expect(isGone(pid)).toBe(true)
  })
})

describe.skipIf(process.platform === 'win32')('a log that goes nowhere', () => {
  /** Each start of a proposal is a line: the program is not there. */
  const TALKING = { ...LOCAL, KEEL_AI_BACKEND: 'claude', KEEL_AI_PROGRAM: '/nowhere/claude' }

  async function proposes(daemon: Daemon): Promise<void> {
    expect(await daemon.command('start')).toBe(202)
    await expect.poll(async () => (await daemon.state()).offscreen.status, { timeout: 20_000 }).toBe('error')
  }

  it.skipIf(process.platform !== 'linux')('because the disk is full stops nothing', async () => {
    const port = await freePort()
    const full = fs.openSync('/dev/full', 'w')
    const options = { cwd: keeld.home, env: { ...keeld.env, ...TALKING }, stdio: ['ignore', 'ignore', full] as ('ignore' | number)[] }
    const daemon = await answering(port, spawn(process.execPath, [keeld.program, '--port', port], options))
    fs.closeSync(full)
    await proposes(daemon)
    await proposes(daemon)
    expect(await daemon.stop()).toBe(0)
  })

  it.skipIf(process.platform !== 'linux')('takes nothing from the exit code of what could not be said', () => {
    const full = fs.openSync('/dev/full', 'w')
    const ran = spawnSync(process.execPath, [keeld.program, '--prot'], { env: keeld.env, stdio: ['ignore', 'ignore', full] })
    fs.closeSync(full)
    expect(ran.status).toBe(2)
  })

  it('because its reader is gone stops nothing', async () => {
    const daemon = await keeld.start([], TALKING)
    daemon.child.stderr!.destroy()
    await proposes(daemon)
    await proposes(daemon)
    expect(await daemon.stop()).toBe(0)
  })

  it('because nobody reads a pipe that is full stops nothing, and is not waited for at the end', async () => {
    const port = await freePort()
    // Whatever room there is in the pipe, something waits to fill it, until the pipe is closed.
    const script = `(while :; do echo filler; done >&2) & exec "${process.execPath}" "${keeld.program}" --port ${port}`
    const options = { cwd: keeld.home, env: { ...keeld.env, ...TALKING }, stdio: ['ignore', 'ignore', 'pipe'] as ('ignore' | 'pipe')[] }
    const child = spawn('/bin/sh', ['-c', script], options)
    child.once('exit', () => child.stderr!.destroy())
    const daemon = await answering(port, child)
    await proposes(daemon)
    await proposes(daemon)
    expect(await daemon.stop()).toBe(0)
  })

  it.skipIf(spawnSync('script', ['--version']).status !== 0)(
    'because its terminal is stopped stops nothing, and is not waited for at the end',
    async () => {
      const port = await freePort()
      const [pid, code] = [join(keeld.home, 'pid'), join(keeld.home, 'code')]
      // The line behind Ctrl-S is read once that was heeded: from then on nothing is taken that is written to the terminal.
      const inside = `read -r _; "${process.execPath}" "${keeld.program}" --port ${port} & echo $! > "${pid}"; wait $!; echo $? > "${code}"`
      const options = { cwd: keeld.home, env: { ...keeld.env, ...TALKING, SHELL: '/bin/sh' }, stdio: 'pipe' } as const
      const terminal = spawn('script', ['-qec', inside, '/dev/null'], options)
      terminal.stdin.write('\x13\n')
      const daemon = await answering(port, terminal)
      await proposes(daemon)
      await proposes(daemon)
      process.kill(Number(fs.readFileSync(pid, 'utf8')), 'SIGTERM')
      await expect.poll(() => fs.existsSync(code) && fs.readFileSync(code, 'utf8'), { timeout: 20_000 }).toBe('0\n')
    },
  )
})
