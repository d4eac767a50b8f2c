/** ActivityWatch goes away and comes back while the page is open. */
import { expect } from '../../hosts/steps.mjs'
import { propose, text } from '../world.mjs'

/** The daemon looks for it at most every 30 s. */
const COMES_BACK = 45_000

export async function memoryFlow(step, world) {
  const { aw } = world
  const page = await world.open()

  await step('says that events go to ActivityWatch', () => text(page, 'Remembered in ActivityWatch'))

  await step('says that they stay here once it is gone, why, and that they will be brought over', async () => {
    await aw.stop()
    await propose(page)
    await text(page, 'Remembered on this machine')
    await text(page, /ActivityWatch is away: /)
    await text(page, /will go there when it is back/)
    expect((await page.getAttribute('[data-where]', 'data-where')) === 'embedded', 'the mark beside it is another one')
  })

  await step('goes on as if nothing had happened', async () => {
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.waitForSelector('[data-phase=confirmed]')
    const history = await world.open({ path: '/history' })
    expect((await history.locator('.entries .confirmed').count()) === 1, 'the history has it')
  })

  await step('says so when it is back, and has brought over what waited', async () => {
    await aw.start()
    await page.getByText('Remembered in ActivityWatch').waitFor({ timeout: COMES_BACK })
    await page.waitForFunction(() => document.querySelector('[data-memory=more]').textContent === '')
    const kinds = aw.stored('keel.events').map((data) => data._kind)
    for (const kind of ['proposal_made', 'action_taken'])
      expect(kinds.filter((name) => name === kind).length === 1, `ActivityWatch has one ${kind}`, kinds.join(' '))
  })
}
