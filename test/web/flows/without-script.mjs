/** The same without JavaScript: forms, and pages that are loaded anew. */
import { expect } from '../../hosts/steps.mjs'
import { phase } from '../world.mjs'

export async function withoutScriptFlow(step, world) {
  const { model, daemon } = world
  const page = await world.open({ javaScriptEnabled: false, expects: /status of (400|409)/ })
  const press = (name) => page.getByRole('button', { name, exact: true }).click()

  await step('proposes, and shows by itself when it is there', async () => {
    model.say('Plant the basil')
    await press('Propose something')
    await phase(page, 'proposed')
    expect((await page.innerText('#heading')) === 'Plant the basil', 'the proposal is there')
    expect(!(await page.locator('[data-options]').isVisible()), 'nothing is said of keys that do nothing')
  })

  await step('edits in a panel that opens without a script', async () => {
    await press('Edit')
    await page.fill('#edit-text', 'Plant the basil and the mint')
    await press('Save')
    expect((await page.innerText('#heading')) === 'Plant the basil and the mint', 'the new words are there')
  })

  await step('snoozes and wakes', async () => {
    await press('Snooze')
    await press('An hour')
    await phase(page, 'asleep')
    await press('Wake it now')
    await phase(page, 'proposed')
  })

  await step('confirms, and loading the page again does nothing twice', async () => {
    await press('Confirm')
    await phase(page, 'confirmed')
    const before = daemon.tasks().length
    await page.reload()
    expect(daemon.tasks().length === before, 'no second task')
  })

  await step('dismisses, and keeps why', async () => {
    model.say('Dust the shelves')
    await press('Propose something else')
    await phase(page, 'proposed')
    await press('Dismiss')
    await phase(page, 'dismissed')
    await page.fill('#reason', 'Not today')
    await press('Keep')
    expect((await page.innerText('.rationale')).includes('“Not today”'), 'it says so', await page.innerText('.rationale'))
  })

  await step('confirms no words that it does not show', async () => {
    await press('Undo')
    await phase(page, 'proposed')
    await world.command({ name: 'edit', args: { text: 'Sell the house' } })
    const before = daemon.tasks().length
    await press('Confirm')
    await page.getByRole('alert').filter({ visible: true }).waitFor()
    expect((await page.innerText('#heading')) === 'Sell the house', 'it shows them now')
    expect(daemon.tasks().length === before, 'nothing was added', daemon.tasks().join('\n'))
    await world.command({ name: 'edit', args: { text: 'Dust the shelves' } })
    await page.goto(world.url)
    await press('Dismiss')
    await phase(page, 'dismissed')
  })

  await step('undoes a dismissal', async () => {
    await press('Undo')
    await phase(page, 'proposed')
    expect((await page.innerText('#heading')) === 'Dust the shelves', 'it is back')
    await press('Dismiss')
    await phase(page, 'dismissed')
  })

  await step('keeps what was typed where a setting is refused, and saves what is not', async () => {
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.fill('[name=knowledge_path]', '/etc/passwd')
    await press('Save')
    expect((await page.innerText('[data-wrong=knowledge_path]')).length > 10, 'it says why')
    const field = page.locator('[name=knowledge_path]')
    expect((await field.inputValue()) === '/etc/passwd', 'what was typed is there')
    expect((await field.getAttribute('aria-invalid')) === 'true', 'the field is marked')
    await field.fill('~/goals.md')
    await press('Save')
    expect((await page.innerText('[data-saved]')) === 'Saved.', 'it says so')
    expect((await page.locator('[aria-invalid]').count()) === 0, 'nothing is wrong any more')
    expect((await page.inputValue('[name=knowledge_path]')).endsWith('goals.md'), 'it is saved')
  })
}
