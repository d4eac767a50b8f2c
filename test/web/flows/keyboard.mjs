/** Only the keyboard: Tab, Enter, Escape, and single keys that can be turned off. */
import { expect } from '../../hosts/steps.mjs'
import { phase, text } from '../world.mjs'

export async function keyboardFlow(step, world) {
  const { model } = world
  const page = await world.open({ reducedMotion: 'reduce' })
  const key = (name) => page.keyboard.press(name)
  const focused = () => page.evaluate(() => (document.activeElement?.textContent || document.activeElement?.id || '').trim())

  /** Tabs forward until something of that name has the focus. */
  async function tabTo(name) {
    for (let count = 0; count < 30; count++) {
      await key('Tab')
      if ((await focused()) === name) return
    }
    throw new Error(`Tab never came to ${name}`)
  }

  await step('begins with a way past the navigation', async () => {
    await key('Tab')
    expect((await focused()) === 'Skip to the content', 'it is the first stop', await focused())
    await key('Enter')
    await tabTo('Propose something')
  })

  await step('proposes with Enter, and reaches every button with Tab', async () => {
    model.say('Bake bread')
    await key('Enter')
    await phase(page, 'proposed')
    await page.waitForFunction(() => document.activeElement?.id === 'heading')
    for (const name of ['Confirm', 'Dismiss', 'Another', 'Snooze', 'Edit']) {
      await key('Tab')
      expect((await focused()) === name, `${name} is next`, await focused())
    }
  })

  await step('opens a panel with Enter, closes it with Escape, and is where it was', async () => {
    await key('Enter')
    await page.waitForSelector('#edit:popover-open')
    expect((await page.evaluate(() => document.activeElement.id)) === 'edit-text', 'the field has the focus')
    await key('Escape')
    await page.waitForSelector('#edit', { state: 'hidden' })
    expect((await focused()) === 'Edit', 'the button has the focus again', await focused())
  })

  await step('shows where the focus is', async () => {
    const style = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle)
    expect(style === 'solid', 'there is an outline', style)
  })

  await step('does with single keys what the buttons do', async () => {
    await key('s')
    await page.waitForSelector('#snooze:popover-open')
    await key('Enter')
    await phase(page, 'asleep')
    await key('p')
    await phase(page, 'proposed')
    model.say('Mend the coat')
    await key('a')
    await text(page, 'Mend the coat')
    await phase(page, 'proposed')
    await page.evaluate(() => document.activeElement.blur())
    await key('d')
    await phase(page, 'dismissed')
    await page.waitForFunction(() => document.activeElement?.id === 'heading')
    await key('u')
    await phase(page, 'proposed')
    await page.waitForFunction(() => document.activeElement?.id === 'heading')
    await key('d')
    await phase(page, 'dismissed')
    await page.waitForFunction(() => document.activeElement?.id === 'heading')
    await key('Tab')
    await key('Tab')
    expect((await focused()) === 'Undo', 'undoing is beside it', await focused())
    await page.evaluate(() => document.activeElement.blur())
    await key('w')
    await page.waitForFunction(() => document.activeElement?.id === 'reason')
    await page.keyboard.type('cud')
    await key('Enter')
    await text(page, 'Because: “cud”.')
    await page.waitForFunction(() => document.activeElement?.id === 'heading')
  })

  await step('types letters into a field and not into the page', async () => {
    model.say('Tune the guitar')
    await key('p')
    await phase(page, 'proposed')
    await key('e')
    await page.waitForSelector('#edit:popover-open')
    await page.fill('#edit-text', '')
    await page.keyboard.type('cad')
    expect((await page.inputValue('#edit-text')) === 'cad', 'the letters are in the field')
    await key('Escape')
    await phase(page, 'proposed')
  })

  await step('saves with Ctrl+Enter what is written, where Enter alone is a line', async () => {
    await key('e')
    await page.waitForSelector('#edit:popover-open')
    await page.fill('#edit-text', 'Tune the violin')
    await key('Enter')
    expect(await page.locator('#edit').isVisible(), 'it is still being written')
    await key('Control+Enter')
    await page.waitForSelector('#edit', { state: 'hidden' })
    await page.waitForFunction(() => document.querySelector('#heading').textContent === 'Tune the violin')
  })

  await step('shows the keys with a question mark, and puts them away again', async () => {
    await key('?')
    await text(page, 'Propose, or wake')
    await key('?')
    await page.getByText('Propose, or wake').waitFor({ state: 'hidden' })
  })

  await step('has single keys that can be turned off, also for the next time', async () => {
    await page.getByText('In this browser', { exact: true }).click()
    await page.getByLabel('Single keys do something on this page').uncheck()
    await page.reload()
    await page.waitForSelector('html[data-ready]')
    await key('d')
    await key('c')
    expect((await world.state()).offscreen.status === 'proposed', 'nothing happened')
    expect((await page.locator('[aria-keyshortcuts]').count()) === 0, 'and no button speaks of keys')
  })
}
