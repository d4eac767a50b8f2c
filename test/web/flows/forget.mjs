/** What its user wants forgotten: by keyboard, with and without a script, and with ActivityWatch away. */
import { expect } from '../../hosts/steps.mjs'
import { phase, text } from '../world.mjs'

/** The daemon looks for it at most every 30 s. */
const COMES_BACK = 45_000

export async function forgetFlow(step, world) {
  const { aw, model } = world
  const plain = await world.open({ javaScriptEnabled: false, expects: /status of 409/ })
  const page = await world.open()
  const summary = (of, words) => of.locator('.forget > summary', { hasText: words })
  const actions = async (of) => (await of.locator('.entries .what > :first-child').allInnerTexts()).join(', ')
  const stored = () => JSON.stringify(aw.stored('keel.events'))

  /** What the first page does with it is not what is looked at here. */
  async function propose(words) {
    model.say(words)
    await world.command({ name: 'start' })
    for (let waited = 0; (await world.state()).offscreen.proposal?.nextAction !== words; waited++) {
      expect(waited < 200, `${words} is proposed`)
      await page.waitForTimeout(50)
    }
  }

  await step('names in every control what it forgets', async () => {
    for (const words of ['Sort the shed', 'Bake bread', 'Mend the gate']) {
      await propose(words)
      await world.command({ name: 'dismiss' })
    }
    await page.goto(`${world.url}/history?days=7`)
    expect((await actions(page)) === 'Mend the gate, Bake bread, Sort the shed', 'the history has all of them', await actions(page))
    const tree = await page.locator('.entries').ariaSnapshot()
    expect(tree.includes('Forget “Bake bread”'), 'the name says what is forgotten', tree)
  })

  await step('asks once, by keyboard, and leads back to where one was', async () => {
    await summary(page, 'Bake bread').focus()
    await page.keyboard.press('Enter')
    await text(page, 'Forget this proposal? It goes from here and from ActivityWatch for good.')
    expect(stored().includes('Bake bread'), 'nothing is forgotten yet')
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => document.activeElement?.textContent)
    expect(focused === 'Forget it “Bake bread”', 'the button comes next', focused)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/history?days=7&forgotten')
    expect((await page.getByRole('status').first().innerText()) === 'Forgotten.', 'it says so')
    expect((await page.title()).startsWith('Forgotten: '), 'the title says so, for who hears it')
    expect((await actions(page)) === 'Mend the gate, Sort the shed', 'it is gone here, and nothing else is', await actions(page))
    for (let waited = 0; stored().includes('Bake bread') && waited < 50; waited++) await page.waitForTimeout(50)
    expect(!stored().includes('Bake bread') && stored().includes('Mend the gate'), 'it is gone from ActivityWatch', stored())
  })

  await step('does it without a script', async () => {
    await plain.goto(`${world.url}/history`)
    await summary(plain, 'Mend the gate').click()
    await plain.getByRole('button', { name: 'Forget it “Mend the gate”', exact: true }).click()
    await plain.waitForURL('**/history?days=28&forgotten')
    expect((await actions(plain)) === 'Sort the shed', 'it is gone', await actions(plain))
    await plain.getByRole('link', { name: 'Now', exact: true }).click()
    await phase(plain, 'idle')
    await plain.goto(`${world.url}/brief`)
    expect(!(await plain.innerText('main')).includes('Mend the gate'), 'the last brief does not name it')
  })

  await step('takes a proposal off an open page that is forgotten on another one', async () => {
    await page.goto(`${world.url}/`)
    await page.waitForSelector('html[data-ready]')
    await propose('Oil the hinges')
    await text(page, 'Oil the hinges')
    await plain.goto(`${world.url}/history`)
    await summary(plain, 'Oil the hinges').click()
    await plain.getByRole('button', { name: 'Forget it “Oil the hinges”', exact: true }).click()
    await phase(page, 'idle')
  })

  await step('forgets everything, and says what follows while ActivityWatch is away', async () => {
    await aw.stop()
    await world.command({ name: 'start' })
    await page.waitForSelector('[data-where=embedded]')
    await plain.goto(`${world.url}/history`)
    await plain.getByText('Forget everything', { exact: true }).first().click()
    await text(plain, /Forget every proposal, also those that are older/)
    await plain.getByRole('button', { name: 'Forget everything', exact: true }).click()
    await plain.waitForURL('**forgotten')
    await text(plain, 'Forgotten. What ActivityWatch has of it goes as soon as it is back.')
    await text(plain, 'Nothing was proposed in this time.')
    expect(stored().includes('Sort the shed'), 'ActivityWatch still has it')
    await aw.start()
    await page.waitForSelector('[data-where=activitywatch]', { timeout: COMES_BACK })
    for (let waited = 0; aw.stored('keel.events').length > 0 && waited < 50; waited++) await page.waitForTimeout(50)
    expect(aw.stored('keel.events').length === 0, 'and when it is back it has nothing', stored())
  })
}
