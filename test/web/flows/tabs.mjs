/** Several pages of one daemon, and pages that are behind. */
import { expect } from '../../hosts/steps.mjs'
import { phase, propose, text } from '../world.mjs'

export async function tabsFlow(step, world) {
  const { model, daemon } = world
  let first = await world.open()
  const second = await world.open({ expects: /status of 409|status of 503|ERR_/ })

  await step('shows in one tab what was done in the other, without loading it again', async () => {
    model.say('Sweep the yard')
    await propose(first)
    await text(second, 'Sweep the yard')
    expect((await second.title()).includes('Sweep the yard'), 'the title of the other tab says it')
  })

  await step('leaves alone what somebody is writing while another proposal arrives, and says that it is too late', async () => {
    await second.getByRole('button', { name: 'Edit', exact: true }).click()
    await second.fill('#edit-text', 'Sweep the yard slowly')
    model.say('Oil the hinges')
    const release = model.hold()
    await first.getByRole('button', { name: 'Another' }).click()
    await phase(second, 'proposing')
    expect(await second.locator('#edit-text').isVisible(), 'the field is still open')
    release()
    await text(first, 'Oil the hinges')
    await text(second, 'Oil the hinges')
    await second.locator('#edit').getByRole('button', { name: 'Save' }).click()
    await second.getByRole('alert').filter({ visible: true }).waitFor()
    expect((await second.inputValue('#edit-text')) === 'Sweep the yard slowly', 'what was written is still there')
    expect((await first.innerText('#heading')) === 'Oil the hinges', 'the new proposal is as it was')
    const beside = await second.locator('#edit [data-problem]').innerText()
    expect(beside.length > 10, 'and why it was refused stands beside it', beside)
    await second.keyboard.press('Escape')
    await second.waitForFunction(() => document.querySelector('#edit-text').value === 'Oil the hinges')
  })

  await step('keeps what was written in a panel that was closed by mistake, until another proposal comes', async () => {
    const open = () => second.getByRole('button', { name: 'Edit', exact: true }).click()
    await open()
    await second.fill('#edit-text', 'Oil the')
    await second.keyboard.press('Escape')
    await world.command({ name: 'edit', args: { text: 'Oil all the hinges' } })
    await text(second, 'Oil all the hinges')
    await open()
    expect((await second.inputValue('#edit-text')) === 'Oil the', 'it is still there')
    await second.keyboard.press('Escape')
    model.say('Beat the rug')
    await world.command({ name: 'another' })
    await text(second, 'Beat the rug')
    await phase(second, 'proposed')
    await open()
    expect((await second.inputValue('#edit-text')) === 'Beat the rug', 'it is about another one now')
    await second.keyboard.press('Escape')
    await phase(first, 'proposed')
  })

  await step('puts nothing aside that a tab has not shown', async () => {
    const old = await world.open({ javaScriptEnabled: false, expects: /status of 409/ })
    model.say('Wind the clock')
    await first.getByRole('button', { name: 'Another' }).click()
    await text(first, 'Wind the clock')
    await old.getByRole('button', { name: 'Another' }).click()
    await old.getByRole('alert').filter({ visible: true }).waitFor()
    expect((await world.state()).offscreen.proposal.nextAction === 'Wind the clock', 'it is still on the table')
  })

  await step('takes away what a command was refused for once something else happens', async () => {
    const page = await world.open({ expects: /status of 409/ })
    await page.evaluate(() => {
      document.querySelector('[data-command=confirm] [name=proposal_id]').value = '0000000000000000'
      document.querySelector('[data-command=confirm] button').click()
    })
    await page.getByRole('alert').filter({ visible: true }).waitFor()
    await world.command({ name: 'snooze', args: { minutes: 10 } })
    await phase(page, 'asleep')
    expect((await page.getByRole('alert').filter({ visible: true }).count()) === 0, 'nothing is refused any more')
    await world.command({ name: 'start' })
    await page.close()
  })

  await step('refuses a command of a tab that is behind, and shows what is there now', async () => {
    const old = await world.open({ javaScriptEnabled: false, expects: /status of 409/ })
    const before = daemon.tasks().length
    model.say('Fold the laundry')
    await first.getByRole('button', { name: 'Another' }).click()
    await text(first, 'Fold the laundry')
    await old.getByRole('button', { name: 'Confirm' }).click()
    expect(await old.getByRole('alert').filter({ visible: true }).isVisible(), 'it says that this is gone')
    expect((await old.locator('#heading').innerText()) === 'Fold the laundry', 'it shows the proposal of now')
    expect(daemon.tasks().length === before, 'no task was added')
  })

  await step('adds one task where two tabs confirm at the same time', async () => {
    const before = daemon.tasks().length
    const press = (page) => page.evaluate(() => document.querySelector('[data-command=confirm] button').click())
    await Promise.all([press(first), press(second)])
    await Promise.all([phase(first, 'confirmed'), phase(second, 'confirmed')])
    expect(daemon.tasks().length === before + 1, 'one task was added', daemon.tasks().join('\n'))
  })

  await step('holds no connection while it is not seen, and is right again when it is', async () => {
    const see = (state) =>
      second.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await see('hidden')
    model.say('Sharpen the knives')
    await propose(first)
    expect((await second.getAttribute('[data-card]', 'data-phase')) === 'confirmed', 'it knows nothing of it')
    await see('visible')
    await text(second, 'Sharpen the knives')
  })

  await step('shows what is there now where the daemon was started again while it was not seen', async () => {
    const page = await world.open()
    // It counts high, and the next one from the beginning.
    for (let minutes = 1; minutes <= 20; minutes++) await world.command({ name: 'snooze', args: { minutes } })
    await world.command({ name: 'start' })
    await text(page, 'Sharpen the knives')
    await phase(page, 'proposed')
    const see = (state) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await see('hidden')
    await world.command({ name: 'dismiss' })
    await Promise.all([first, second].map((other) => other.close()))
    await daemon.stop()
    await daemon.start()
    await see('visible')
    await phase(page, 'idle')
    first = page
    model.say('Sharpen the axe')
    await propose(page)
  })

  let rounds = 0
  for (const [title, answer] of [
    ['asks now and then where the daemon has no stream left', (route) => route.fulfill({ status: 503, body: '{}' })],
    ['asks now and then where streams do not come through', (route) => route.abort()],
  ]) {
    await step(title, async () => {
      const page = await world.open({ expects: /./ })
      await page.route('**/api/stream', answer)
      await page.reload()
      await page.waitForResponse((response) => response.url().endsWith('/api/state'))
      const words = `Count the spoons, ${++rounds}`
      model.say(words)
      await first.getByRole('button', { name: 'Another' }).click()
      await text(page, words)
      expect((await page.locator('[data-lost]').innerText()) === '', 'nothing is said to be lost')
      await page.waitForResponse((response) => response.url().endsWith('/api/state') && response.status() === 304)
    })
  }

  await step('sees also without a stream that the daemon was started again, though none of its questions failed', async () => {
    const page = await world.open({ expects: /./ })
    await page.route('**/api/stream', (route) => route.abort())
    await page.reload()
    await phase(page, 'proposed')
    for (let minutes = 1; minutes <= 20; minutes++) await world.command({ name: 'snooze', args: { minutes } })
    await phase(page, 'asleep')
    let letGo
    const held = new Promise((done) => {
      letGo = done
    })
    const asked = page.waitForRequest('**/api/state')
    await page.route('**/api/state', async (route) => {
      await held
      await route.continue()
    })
    await asked
    await world.command({ name: 'dismiss' })
    await first.close()
    await daemon.stop()
    await daemon.start()
    letGo()
    await phase(page, 'idle')
    await page.close()
    first = await world.open()
    await propose(first)
  })

  await step('says that the daemon is gone, and comes back with it', async () => {
    const page = await world.open({ expects: /ERR_|Failed to load/ })
    await first.close()
    await daemon.stop()
    await text(page, 'keeld does not answer')
    await page.evaluate(() => document.querySelector('[data-part=decide] button')?.click())
    await text(page, 'What became of this')
    await daemon.start()
    await page.waitForFunction(() => document.querySelector('[data-lost]').textContent === '')
    await phase(page, 'proposed')
    expect((await page.getByRole('alert').filter({ visible: true }).count()) === 0, 'nothing is said of it any more')
  })
}
