/** A snooze that ends while nobody looks: the title says so, and a notice where its user wants one. */
import { expect } from '../../hosts/steps.mjs'
import { phase, propose } from '../world.mjs'

const MINUTE = 60_000

export async function snoozeFlow(step, world) {
  const { model } = world
  const page = await world.open()
  await page.addInitScript(fakeNotices)
  await page.clock.install()
  await page.goto(world.url)
  await page.waitForSelector('html[data-ready]')
  const title = (start) => page.waitForFunction((begin) => document.title.startsWith(begin), start)
  const notices = () => page.evaluate(() => globalThis.notices)

  /** The clock of the page is right again, as that of the daemon is. */
  async function snooze() {
    await page.clock.setSystemTime(new Date())
    await page.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('button', { name: '10 minutes' }).click()
    await phase(page, 'asleep')
  }

  const look = (isSeen) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (value ? 'visible' : 'hidden') })
      document.hasFocus = () => value
      document.dispatchEvent(new Event('visibilitychange'))
    }, isSeen)

  await step('says in the title of a tab that is not seen that it is time, and asks nobody for a notice', async () => {
    model.say('Stretch your back')
    await propose(page)
    await snooze()
    await look(false)
    await page.clock.fastForward(9 * MINUTE)
    await title('Snoozed until')
    await page.clock.fastForward(2 * MINUTE)
    await title('It is time: Stretch your back')
    expect((await notices()).length === 0, 'there is no notice')
    expect((await page.evaluate(() => globalThis.asked)) === 0, 'nobody was asked to allow one')
  })

  await step('says what is proposed once somebody looks', async () => {
    await look(true)
    await title('Proposed: Stretch your back')
    await phase(page, 'proposed')
  })

  await step('asks for leave when the switch is pressed, and says so where there is none', async () => {
    await page.getByText('In this browser', { exact: true }).click()
    await page.evaluate(() => {
      globalThis.answer = 'denied'
    })
    const toggle = page.getByLabel('Tell me when a snooze ends')
    await toggle.click()
    await page.getByText('This browser does not allow it for this page.').waitFor()
    expect(!(await toggle.isChecked()), 'the switch is off')
    await page.evaluate(() => {
      globalThis.answer = 'granted'
    })
    await toggle.click()
    await page.waitForFunction(() => globalThis.asked === 2)
    expect(await toggle.isChecked(), 'the switch is on')
    expect((await page.innerText('[data-notices-problem]')) === '', 'nothing is wrong any more')
  })

  await step('gives a notice then, once, though the tab is not seen', async () => {
    await world.command({ name: 'start' })
    await snooze()
    await look(false)
    await page.clock.fastForward(11 * MINUTE)
    await page.waitForFunction(() => globalThis.notices.length === 1)
    expect((await notices()).join() === 'It is time: Stretch your back', 'it says what for', (await notices()).join())
    await title('It is time: Stretch your back')
    await page.clock.fastForward(11 * MINUTE)
    expect((await notices()).length === 1, 'there is one')
    await look(true)
  })

  await step('gives none of what was decided meanwhile in another tab, nor to who looks at the page', async () => {
    await world.command({ name: 'start' })
    await snooze()
    await look(false)
    await world.command({ name: 'dismiss' })
    await page.clock.fastForward(11 * MINUTE)
    await title('Dismissed:')
    await look(true)
    model.say('Water the garden')
    await propose(page)
    await snooze()
    await page.clock.fastForward(11 * MINUTE)
    await title('Proposed: Water the garden')
    expect((await notices()).length === 1, 'there is still one', (await notices()).join())
  })
}

/** Runs in the page: a browser without a window shows none, and asks nobody. */
function fakeNotices() {
  globalThis.notices = []
  globalThis.asked = 0
  let permission = 'default'
  globalThis.Notification = class extends EventTarget {
    constructor(title, { body }) {
      super()
      globalThis.notices.push(`${title}: ${body}`)
    }

    static get permission() {
      return permission
    }

    static async requestPermission() {
      globalThis.asked++
      permission = globalThis.answer
      return permission
    }
  }
}
