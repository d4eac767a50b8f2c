/**
 * What Keel costs its user: until the page can be used, what its script weighs, how long a brief takes while ActivityWatch hangs, and
 * what the daemon takes while nobody does anything.
 *
 * `npm run bench:keel` (text) or `npm run --silent bench:keel -- --json`. A figure that cannot be had here is null; stderr says why.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fakeAw } from '../test/keel/fake-aw/fake-aw.mjs'
import { startKeeld } from './lib/keeld.mjs'
import { median, print, progress, round } from './lib/measure.mjs'
import { root } from './lib/package.mjs'

const LOADS = 15
const BRIEFS = 3
const IDLE_MS = 30_000
/** What was going on before has settled by then. */
const SETTLE_MS = 5_000
const KIB = 1024

const result = {
  interactive_ms: await interactiveMs(),
  script_kb: scriptKb(),
  hanging_aw_brief_ms: await hangingAwBriefMs(),
  ...(await idle()),
}

print(result, [
  `page interactive: ${result.interactive_ms} ms (limit 300)`,
  `script, compressed: ${result.script_kb} KB (limit 60)`,
  `brief with a hanging ActivityWatch: ${result.hanging_aw_brief_ms} ms (limit 3000)`,
  `idle daemon: ${result.idle_cpu_percent} % of a core (limit 0.5), ${result.idle_rss_mb} MB (limit 120)`,
])

/** From the navigation until the script has taken the page over, in a browser that has nothing of it kept; the median. */
async function interactiveMs() {
  progress('loading the page')
  let browser
  try {
    const { findChromium } = await import('../test/web/chromium.mjs')
    const { chromium } = await import('playwright-core')
    browser = await chromium.launch({ executablePath: await findChromium(), args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  } catch (error) {
    process.stderr.write(`interactive_ms: no browser (${error.message.split('\n')[0]})\n`)
    return null
  }
  const keeld = await startKeeld(['--demo'])
  const times = []
  try {
    await keeld.command('start')
    await keeld.until(({ offscreen }) => offscreen.status === 'proposed')
    // The first load starts processes of the browser.
    for (let load = -1; load < LOADS; load++) {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(keeld.url)
      await page.waitForFunction(() => performance.getEntriesByName('keel-ready').length > 0)
      const ms = await page.evaluate(() => performance.getEntriesByName('keel-ready')[0].startTime)
      if (load >= 0) times.push(ms)
      await context.close()
    }
  } finally {
    await browser.close()
    await keeld.stop()
  }
  return round(median(times), 1)
}

function scriptKb() {
  const folder = join(root, 'dist', 'web')
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0)
  return round(bytes / KIB, 1)
}

/**
 * From the command to the proposal of the built-in rules, which take about a millisecond: the longest of some. ActivityWatch takes
 * connections and says nothing, once from the beginning, once from when its events were in use.
 */
async function hangingAwBriefMs() {
  progress('asking for proposals while ActivityWatch hangs')
  const times = []
  for (let brief = 0; brief < BRIEFS; brief++) {
    times.push(await withDeaf((url) => timeBrief(url, async () => {})))
    const aw = await fakeAw()
    const now = new Date()
    aw.watch('aw-watcher-window_here', 'currentwindow', 'here', [{ at: now, seconds: 60, data: { app: 'Editor', title: 'x' } }])
    aw.watch('aw-watcher-afk_here', 'afkstatus', 'here', [{ at: now, seconds: 60, data: { status: 'not-afk' } }])
    const hang = async (keeld) => {
      await keeld.until(({ memory }) => memory.where === 'activitywatch')
      aw.trouble = () => 'hang'
    }
    times.push(await timeBrief(aw.url, hang))
    await aw.stop()
  }
  return Math.round(Math.max(...times))
}

async function timeBrief(url, prepare) {
  const keeld = await startKeeld([], { KEEL_AW_URL: url, KEEL_TASKS: 'none' })
  try {
    await keeld.state()
    await prepare(keeld)
    const begin = performance.now()
    await keeld.command('start')
    await keeld.until(({ offscreen }) => offscreen.status === 'proposed')
    return performance.now() - begin
  } finally {
    await keeld.stop()
  }
}

async function withDeaf(use) {
  const sockets = new Set()
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await use(`http://127.0.0.1:${server.address().port}`)
  } finally {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
}

/** After a proposal, with a page that listens, and with an ActivityWatch that is not there and is looked for. */
async function idle() {
  progress(`watching it do nothing for ${IDLE_MS / 1000} s`)
  const keeld = await startKeeld([], { KEEL_AW_URL: `http://127.0.0.1:${await closedPort()}`, KEEL_TASKS: 'none' })
  const page = new AbortController()
  try {
    await keeld.command('start')
    await keeld.until(({ offscreen }) => offscreen.status === 'proposed')
    const stream = await fetch(`${keeld.url}/api/stream`, { signal: page.signal })
    stream.body.pipeTo(new WritableStream()).catch(() => {}) // It ends with the measurement.
    await pause(SETTLE_MS)
    const [before, begin] = [cpuMs(keeld.pid), performance.now()]
    await pause(IDLE_MS)
    const [after, end] = [cpuMs(keeld.pid), performance.now()]
    return {
      idle_cpu_percent: before === null ? null : round(((after - before) / (end - begin)) * 100, 2),
      idle_rss_mb: residentMb(keeld.pid),
    }
  } finally {
    page.abort()
    await keeld.stop()
  }
}

/** One that nobody listens on. Those that are known for something (9) will not do: `fetch` refuses them before it asks anybody. */
async function closedPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Time that a process has had of a core; the kernel counts in hundredths of a second. */
function cpuMs(pid) {
  if (process.platform !== 'linux') {
    process.stderr.write('idle_cpu_percent: only measured on Linux\n')
    return null
  }
  // The name, in parentheses, may hold anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
  const [user, system] = [Number(fields[11]), Number(fields[12])]
  return (user + system) * 10
}

function residentMb(pid) {
  if (process.platform === 'win32') {
    process.stderr.write('idle_rss_mb: not measured on Windows\n')
    return null
  }
  return round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / KIB, 1)
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
