/**
 * Keel's page in a real Chromium against the built `keeld`: `npm run test:web`. What the pages look like lies afterwards in
 * `.cache/screenshots`. Where no Chromium can be had the tests are skipped, and it says why. `npm run test:web -- tabs` runs one flow.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { expect, steps } from '../test/hosts/steps.mjs'
import { findChromium } from '../test/web/chromium.mjs'
import { doubtFlow } from '../test/web/flows/doubt.mjs'
import { fallbackFlow } from '../test/web/flows/fallback.mjs'
import { forgetFlow } from '../test/web/flows/forget.mjs'
import { keyboardFlow } from '../test/web/flows/keyboard.mjs'
import { looksFlow } from '../test/web/flows/looks.mjs'
import { fullDiskFlow, memoryFlow } from '../test/web/flows/memory.mjs'
import { proposalFlow } from '../test/web/flows/proposal.mjs'
import { settingsFlow } from '../test/web/flows/settings.mjs'
import { snoozeFlow } from '../test/web/flows/snooze.mjs'
import { tabsFlow } from '../test/web/flows/tabs.mjs'
import { TOKEN, tokenFlow } from '../test/web/flows/token.mjs'
import { withoutScriptFlow } from '../test/web/flows/without-script.mjs'
import { newWorld } from '../test/web/world.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const FLOWS = {
  proposal: proposalFlow,
  tabs: tabsFlow,
  snooze: snoozeFlow,
  'without a script': withoutScriptFlow,
  doubt: doubtFlow,
  'without popovers': fallbackFlow,
  forget: forgetFlow,
  settings: settingsFlow,
  keyboard: keyboardFlow,
  memory: memoryFlow,
  'no room': fullDiskFlow,
  token: tokenFlow,
  looks: looksFlow,
}
/** Of the daemon. */
const TOOL = { KEEL_TASKS: 'marvin', KEEL_MARVIN_CMD: `"${process.execPath}" "${join(root, 'test', 'web', 'task-tool.mjs')}"` }
const ENVIRONMENT = {
  token: { KEEL_TOKEN: TOKEN },
  doubt: TOOL,
  looks: TOOL,
  // Nothing can be made below it.
  'no room': { KEEL_MEMORY: 'local', XDG_DATA_HOME: process.execPath },
}

/** They spend their time waiting for the daemon's next look at ActivityWatch: the others run meanwhile. */
const WAITING = ['memory', 'forget']

const pictures = join(root, '.cache', 'screenshots')
const report = steps(console.log)
const asked = process.argv.slice(2)

const program = await chromiumOrNone()
if (program !== undefined) await test(program)
console.log(report.summary())
process.exitCode = report.counts.failed > 0 ? 1 : 0

async function chromiumOrNone() {
  try {
    return await findChromium()
  } catch (error) {
    report.skip('Keel’s page in a real Chromium', error.message)
  }
}

/** Each flow has a daemon of its own. */
async function test(executablePath) {
  rmSync(pictures, { recursive: true, force: true })
  mkdirSync(pictures, { recursive: true })
  // As root Chromium runs only without its sandbox; what it opens here is ours.
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
  console.log(`Chromium ${browser.version()}`)
  try {
    const names = Object.keys(FLOWS).filter((name) => asked.length === 0 || asked.includes(name))
    const inTurn = async (some) => {
      for (const name of some) await run(browser, name, FLOWS[name])
    }
    await Promise.all([inTurn(names.filter((name) => WAITING.includes(name))), inTurn(names.filter((name) => !WAITING.includes(name)))])
  } finally {
    await browser.close()
  }
}

async function run(browser, name, flow) {
  const step = report.chain(name)
  let world
  await step('starts', async () => {
    world = await newWorld(browser, ENVIRONMENT[name])
  })
  if (world === undefined) return
  try {
    await flow(step, world, pictures)
    await step('asks nobody else for anything, and leaves the console empty', async () =>
      expect(world.complaints.length === 0, 'nothing was complained about', world.complaints.join('\n')),
    )
  } finally {
    await world.close()
  }
}
