/** ActivityWatch goes away and comes back while the page is open. */
import { expect } from '../../hosts/steps.mjs'
import { look } from '../look.mjs'
import { phase, propose, text } from '../world.mjs'

/** The daemon looks for it at most every 30 s. */
const COMES_BACK = 45_000

export async function memoryFlow(step, world) {
  const { aw } = world
  const page = await world.open()
  const settings = await world.open({ path: '/settings' })

  await step('says that events go to ActivityWatch', () => text(page, 'Remembered in ActivityWatch'))

  await step('says calmly that they stay here once it is gone; the settings say why, and that they will be brought over', async () => {
    await aw.stop()
    await propose(page)
    await text(page, 'Remembered on this machine')
    expect(!(await page.locator('.state').innerText()).includes('ActivityWatch'), 'and no more', await page.locator('.state').innerText())
    await text(settings, /ActivityWatch does not answer at /)
    await text(settings, /will go there as soon as it does/)
    await settings.getByText('Why', { exact: true }).click()
    expect((await settings.innerText('[data-memory=why]')).length > 5, 'it says why', await settings.innerText('[data-memory=why]'))
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
    await settings.waitForFunction(() => document.querySelector('[data-memory=more]').textContent === '')
    expect(!(await settings.getByText('Why', { exact: true }).isVisible()), 'there is no why any more')
    const kinds = aw.stored('keel.events').map((data) => data._kind)
    for (const kind of ['proposal_made', 'action_taken'])
      expect(kinds.filter((name) => name === kind).length === 1, `ActivityWatch has one ${kind}`, kinds.join(' '))
  })
}

/** The folder for what Keel remembers cannot be made. */
export async function fullDiskFlow(step, world, folder) {
  const page = await world.open()

  await step('says before anything happens that it cannot be kept', async () => {
    await text(page, /cannot be written to its file: /)
    await text(page, 'Cannot be written just now')
  })

  await step('counts what could not be written, says why, and goes on', async () => {
    await propose(page)
    await text(page, /One entry could not be written to the file yet: /)
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await phase(page, 'dismissed')
    await text(page, /2 entries could not be written to the file yet/)
    expect((await page.locator('.trouble').getAttribute('role')) === 'status', 'a screen reader hears of it')
    for (const [colorScheme, width] of [
      ['light', 1100],
      ['dark', 320],
    ]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 780 })
      await look(page, folder, `no-room-${colorScheme}-${width}`)
    }
  })

  await step('says the same without a script, and shows all the same what happened', async () => {
    const plain = await world.open({ javaScriptEnabled: false })
    await text(plain, /2 entries could not be written to the file yet/)
    await plain.getByRole('link', { name: 'History' }).click()
    await text(plain, /2 entries could not be written to the file yet/)
  })
}
