/** Everything that a flow needs: the daemon, what it speaks to, and pages of a real browser that are watched for what must not happen. */
import { fakeAw } from '../keel/fake-aw/fake-aw.mjs'
import { daemonIn } from './daemon.mjs'
import { fakeModel } from './model.mjs'

const PATIENCE = 10_000

/** @param {import('playwright-core').Browser} browser @param {Record<string, string>} [env] */
export async function newWorld(browser, env = {}) {
  const aw = await fakeAw()
  const model = await fakeModel()
  const daemon = daemonIn({ KEEL_AW_URL: aw.url, KEEL_AI_BACKEND: 'openai', KEEL_AI_MODEL: 'test', KEEL_AI_URL: model.url, ...env })
  const url = await daemon.start()
  /** What a page must never do. @type {string[]} */
  const complaints = []
  const contexts = []

  return {
    aw,
    model,
    daemon,
    url,
    complaints,
    /** A page of a browser of its own. @param {import('playwright-core').BrowserContextOptions & { path?: string, expects?: RegExp }} [options] `expects`: what the console may say */
    async open({ path = '/', expects, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1100, height: 780 }, ...options })
      contexts.push(context)
      context.setDefaultTimeout(PATIENCE)
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(`an error in the page: ${error.message}`))
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !expects?.test(message.text()))
          complaints.push(`${message.type()}: ${message.text()}`)
      })
      page.on('request', (request) => {
        if (new URL(request.url()).origin !== url) complaints.push(`a request to ${request.url()}`)
      })
      await page.goto(url + path)
      if (options.javaScriptEnabled !== false) await page.waitForSelector('html[data-ready]')
      return page
    },
    /** A command, as another program would send it. @param {Record<string, unknown>} body */
    async command(body) {
      const response = await fetch(`${url}/api/command`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return response.json()
    },
    state: async () => (await fetch(`${url}/api/state`)).json(),
    async close() {
      for (const context of contexts) await context.close()
      await daemon.stop()
      model.close()
      await aw.stop()
      daemon.remove()
    },
  }
}

/** Waits until the first page is in a phase. @param {import('playwright-core').Page} page @param {string} phase */
export function phase(page, phase) {
  return page.waitForSelector(`[data-phase=${phase}]`)
}

/** Waits until a text stands somewhere that can be seen. */
export function text(page, words) {
  return page.getByText(words).filter({ visible: true }).first().waitFor()
}

/** Presses what leads to a proposal, and waits for it. */
export async function propose(page) {
  await page.click('[data-command=start] button')
  await phase(page, 'proposed')
}
