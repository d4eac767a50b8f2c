/** A browser that knows no popovers: what is in panels elsewhere stands below the buttons, with the script and without. */
import { expect } from '../../hosts/steps.mjs'
import { look } from '../look.mjs'
import { phase, text } from '../world.mjs'

export async function fallbackFlow(step, world, folder) {
  const { model } = world

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with the script' : 'without it'
    const page = await world.open({ javaScriptEnabled, expects: /status of 409/ })
    await step(`shows the panels below the buttons, ${how}`, async () => {
      await page.route('**/*', forget)
      model.say('Carry the boxes down')
      await world.command({ name: 'start' })
      await page.goto(world.url)
      await phase(page, 'proposed')
      for (const id of ['snooze', 'edit']) expect(await page.locator(`#${id}`).isVisible(), `${id} can be seen`)
      expect(!(await page.locator('[popovertarget]').first().isVisible()), 'no button promises to open them')
      if (!javaScriptEnabled) return
      await look(page, folder, 'without-popovers')
    })

    await step(`edits, snoozes, wakes and dismisses, ${how}`, async () => {
      const words = `Carry the boxes down, ${how}`
      // Where a form leads by itself, the browser loads past what is taken out here.
      const again = async () => {
        await page.goto(world.url)
      }
      await page.fill('#edit-text', words)
      await page.getByRole('button', { name: 'Save' }).click()
      await text(page, words)
      if (!javaScriptEnabled) await again()
      await page.getByRole('button', { name: 'An hour', exact: true }).click()
      await phase(page, 'asleep')
      await page.getByRole('button', { name: 'Wake it now' }).click()
      await phase(page, 'proposed')
      if (!javaScriptEnabled) await again()
      await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
      await phase(page, 'dismissed')
    })
  }

  await step('leaves alone what is being written while another proposal arrives', async () => {
    const page = await world.open({ expects: /status of 409/ })
    await page.route('**/*', forget)
    model.say('Bring the bottles back')
    await world.command({ name: 'start' })
    await page.goto(world.url)
    await phase(page, 'proposed')
    await page.fill('#edit-text', 'Bring some bottles back')
    model.say('Clean the oven')
    await world.command({ name: 'another' })
    await text(page, 'Clean the oven')
    expect((await page.inputValue('#edit-text')) === 'Bring some bottles back', 'it is still there')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ visible: true }).waitFor()
    expect((await page.innerText('#heading')) === 'Clean the oven', 'the new proposal is as it was')
  })
}

/** Takes out of what the daemon sends all that such a browser does not understand. */
async function forget(route) {
  const type = route.request().resourceType()
  if (!['document', 'script', 'stylesheet'].includes(type) || route.request().method() !== 'GET') return route.fallback()
  const response = await route.fetch()
  const body = (await response.text())
    .replaceAll(':popover-open', ':unheard-of')
    .replaceAll(' popover ', ' ')
    .replaceAll('popovertarget=', 'popovertarget data-none=')
  await route.fulfill({ response, body })
}
