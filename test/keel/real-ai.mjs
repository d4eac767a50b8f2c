/**
 * The proposers `claude` and `codex` with the real programs: `node test/keel/real-ai.mjs`. Pinned versions of them come from `.cache`
 * (installed once); the model is a script on loopback. A program that cannot be installed is skipped.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { agents } from '../hosts/agents.mjs'
import { install } from '../hosts/install.mjs'
import { startModel } from '../hosts/loopback-model.mjs'
import { expect, steps } from '../hosts/steps.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** What each program is called as a proposer, and how the user's own set-up would show where it took part. */
const proposers = {
  'claude-code': { backend: 'claude', settle: settleClaude, loggedOut: ['ANTHROPIC_API_KEY'] },
  codex: { backend: 'codex', settle: settleCodex, loggedOut: ['LOOPBACK_KEY'] },
}
/** Of the user's instructions to their agent: no business of a proposal's. */
const MARK = 'instructions-of-the-user'
const WISH = 'I have always wanted to sail around the island'
const ANSWER = JSON.stringify({ next_action: 'Call the sailing club', rationale: 'You want to sail.' })

export const titles = [
  'proposes what the model says, and starts nothing else of the user’s',
  'is asked again where the answer is no proposal',
  'says that it is not logged in',
  'is ended by a cancel with all that it started',
]

/**
 * The steps of one program.
 * @param {{ agent: { host: string, environment: Function, settle?: Function }, bin: string, scratch: string, openProposer: Function,
 *   model: { url: string, script: Function }, step: (title: string, body: () => Promise<void>) => Promise<void> }} given
 *   `scratch` is an empty folder of the program's own; `openProposer` that of `src/keel/ai/open.ts`
 */
export async function proposerSteps({ agent, bin, scratch, openProposer, model, step }) {
  const { backend, settle, loggedOut } = proposers[agent.host]
  const home = join(scratch, 'home')
  mkdirSync(home, { recursive: true })
  const started = join(scratch, 'started')
  const place = { home, url: model.url }
  agent.settle?.(place)
  settle(home, started)
  const env = { PATH: [bin, process.env.PATH].join(delimiter), HOME: home, USERPROFILE: home, LANG: 'C.UTF-8' }
  const proposer = (given) => openProposer({ backend }, systemWith({ ...env, ...given }, home))
  const ours = agent.environment(place)
  const { signal } = new AbortController()

  await step(titles[0], async () => {
    const turns = []
    model.script = (turn) => {
      turns.push(turn)
      return { say: ANSWER }
    }
    const proposal = await (await proposer(ours)).propose(`## Goals\n\n${WISH}`, { exclude: ['walk'], signal })
    expect(
      proposal.nextAction === 'Call the sailing club' && proposal.rationale === 'You want to sail.',
      'the proposal is what the model said',
      proposal,
    )
    expect(turns.length === 1, 'the model was asked once', turns.length)
    const [{ tools, events }] = turns
    const said = JSON.stringify(events)
    expect(said.includes(WISH) && said.includes('recently proposed'), 'the model was shown the prompt', said)
    const able = tools.filter((tool) => /exec|shell|bash|read|write|edit|mcp|search|fetch|agent|task/i.test(tool))
    expect(able.length === 0, 'the model had no tool to act with', able)
    expect(!existsSync(started), "no hook and no server of the user's was started")
    if (backend === 'claude') expect(!said.includes(MARK), "the user's instructions were left out", said)
    const logs = existsSync(agent.logs(home)) ? readdirSync(agent.logs(home)) : []
    expect(logs.length === 0, 'no session was kept', logs)
    leavesNothing()
  })

  await step(titles[1], async () => {
    const answers = ['A day at sea would do you good.', ANSWER]
    model.script = () => ({ say: answers.shift() ?? ANSWER })
    const proposal = await (await proposer(ours)).propose('brief', { signal })
    expect(proposal.nextAction === 'Call the sailing club' && answers.length === 0, 'the second answer is the proposal', proposal)
  })

  await step(titles[2], async () => {
    const without = Object.fromEntries(Object.entries(ours).filter(([name]) => !loggedOut.includes(name)))
    const error = await failure((await proposer(without)).propose('brief', { signal }))
    expect(['ai_unavailable', 'ai_failed'].includes(error?.code), 'the error has a code', String(error))
    expect(/log|key|environment variable/i.test(error.message), 'the error says why', error.message)
    console.log(`     ${error.code}: ${error.message}`)
  })

  await step(titles[3], async () => {
    const deaf = await hangingServer()
    try {
      const elsewhere = join(scratch, 'deaf')
      mkdirSync(elsewhere)
      agent.settle?.({ home: elsewhere, url: deaf.url })
      const system = systemWith({ ...env, HOME: elsewhere, ...agent.environment({ home: elsewhere, url: deaf.url }) }, elsewhere)
      const controller = new AbortController()
      const proposal = failure((await openProposer({ backend }, system)).propose('brief', { signal: controller.signal }))
      await Promise.race([deaf.asked, proposal.then((error) => Promise.reject(error))])
      const before = performance.now()
      controller.abort(new Error('dismissed'))
      const error = await proposal
      expect(error?.message === 'dismissed', 'the reason of the cancel comes back', String(error))
      expect(performance.now() - before < 5_000, 'it ends soon', performance.now() - before)
      leavesNothing()
    } finally {
      deaf.close()
    }
  })

  /** Each run names files of its own folder, in which nothing stays. */
  function leavesNothing() {
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith('keel-ai-'))
    expect(left.length === 0, 'no folder is left', left)
    if (process.platform === 'win32') return
    const running = execFileSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(join(tmpdir(), 'keel-ai-')))
    expect(running.length === 0, 'nothing is still running', running)
  }
}

function systemWith(env, home) {
  return {
    env,
    home,
    cwd: home,
    platform: process.platform,
    now: () => new Date(),
    fetch: globalThis.fetch,
    processes: () => process.getBuiltinModule('node:child_process'),
  }
}

function settleClaude(home, started) {
  const touch = { type: 'command', command: `touch '${started}'` }
  const hooks = Object.fromEntries(['SessionStart', 'UserPromptSubmit', 'Stop'].map((name) => [name, [{ hooks: [touch] }]]))
  mkdirSync(join(home, '.claude'), { recursive: true })
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ hooks }))
  writeFileSync(join(home, '.claude', 'CLAUDE.md'), MARK)
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ mcpServers: { mine: { command: 'touch', args: [started] } } }))
}

function settleCodex(home, started) {
  const servers = ['mine', '"my own.server"'].map(
    (name) => `\n[mcp_servers.${name}]\ncommand = "touch"\nargs = [${JSON.stringify(started)}]\n`,
  )
  appendFileSync(join(home, '.codex', 'config.toml'), servers.join(''))
}

/** Takes a question to the model, and never answers. */
async function hangingServer() {
  let tell
  const asked = new Promise((resolve) => {
    tell = resolve
  })
  const server = createServer((request) => {
    if (request.method === 'POST' && /messages$|responses$/.test(new URL(request.url, 'http://h').pathname)) tell()
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${server.address().port}`, asked, close }
}

function failure(promise) {
  return promise.then(
    () => undefined,
    (error) => error,
  )
}

/** `openProposer` as the sources have it: Node.js 20 reads no TypeScript. */
export async function bundledProposer(folder) {
  const bundle = await rolldown({
    input: join(root, 'src/keel/ai/open.ts'),
    platform: 'node',
    external: [/^node:/, 'undici'],
    logLevel: 'silent',
  })
  const file = join(folder, 'proposer.mjs')
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  return (await import(pathToFileURL(file).href)).openProposer
}

async function main() {
  const report = steps(console.log)
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'keel-real-ai-')))
  // Folders for runs are made there alone, so that what is left of them is seen.
  process.env.TMPDIR = join(scratch, 'tmp')
  mkdirSync(process.env.TMPDIR)
  const model = await startModel()
  try {
    const openProposer = await bundledProposer(scratch)
    for (const agent of agents) {
      let bin
      try {
        bin = (await install(agent, join(root, '.cache'))).bin
      } catch (error) {
        for (const title of titles) report.skip(`${proposers[agent.host].backend} ${title}`, error.message)
        continue
      }
      const step = report.chain(proposers[agent.host].backend)
      await proposerSteps({ agent, bin, scratch: join(scratch, agent.host), openProposer, model, step })
    }
  } finally {
    await model.close()
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
  }
  console.log(report.summary())
  process.exitCode = report.counts.failed > 0 ? 1 : 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
