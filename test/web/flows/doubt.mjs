/** A task tool that fails, and one of which nobody knows whether it has done its work. */
import { expect } from '../../hosts/steps.mjs'
import { phase, propose, text } from '../world.mjs'

export async function doubtFlow(step, world) {
  const { model, daemon } = world
  const page = await world.open({ expects: /status of 502/ })
  const confirm = (name) => page.getByRole('button', { name, exact: true }).click()
  const alert = page.getByRole('alert').filter({ visible: true })
  const tone = () => page.getAttribute('[data-card]', 'data-tone')

  await step('says that a task was not added, and lets it be tried again', async () => {
    model.say('Mow the lawn, never')
    await propose(page)
    await confirm('Confirm')
    await alert.waitFor()
    expect((await tone()) === 'failure', 'it is a plain failure', await alert.innerText())
    await page.getByRole('button', { name: 'Confirm', exact: true }).waitFor()
    expect(daemon.added().length === 0, 'nothing was added')
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await phase(page, 'dismissed')
    expect((await alert.count()) === 0, 'nothing is said of it any more')
  })

  await step('warns of a task that may have been added, and says on the button that it may be a second time', async () => {
    model.say('Buy milk, perhaps')
    await propose(page)
    await confirm('Confirm')
    await page.getByRole('button', { name: 'Confirm all the same' }).waitFor()
    expect((await tone()) === 'warning', 'it is a warning')
    expect((await page.title()).startsWith('Perhaps added:'), 'the title says it', await page.title())
    expect(daemon.added().length === 1, 'it was', daemon.added().join('\n'))
  })

  await step('takes a double click for one, and a press with open eyes for another', async () => {
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await phase(page, 'dismissed')
    model.say('Buy bread, perhaps')
    await propose(page)
    // Both before anybody can have read what came of the first.
    await page.evaluate(async () => {
      const press = () => document.querySelector('[data-command=confirm] button').click()
      press()
      while (document.querySelector('[data-card]').dataset.tone !== 'warning') await new Promise((done) => setTimeout(done, 5))
      press()
    })
    await page.getByRole('button', { name: 'Confirm all the same' }).waitFor()
    await page.waitForFunction(() => document.querySelector('[aria-disabled]') === null)
    expect(daemon.added().length === 2, 'it was added once', daemon.added().join('\n'))
    await page.waitForTimeout(1_100)
    await confirm('Confirm all the same')
    await page.waitForResponse((response) => response.url().endsWith('/api/command'))
    expect(daemon.added().length === 3, 'and then again', daemon.added().join('\n'))
  })

  await step('warns the same without a script, and after keeld was started again', async () => {
    const plain = await world.open({ javaScriptEnabled: false })
    await plain.getByRole('button', { name: 'Confirm all the same' }).waitFor()
    await page.close()
    await daemon.stop()
    await daemon.start()
    while ((await world.state()).offscreen.status !== 'proposed') await plain.reload()
    await plain.reload()
    await plain.getByRole('button', { name: 'Confirm all the same' }).waitFor()
    expect((await plain.innerText('.kicker')).startsWith('Perhaps added'), 'it says so', await plain.innerText('.kicker'))
    await plain.getByRole('alert').filter({ visible: true }).waitFor()
  })

  await step('has in the history what is not known', async () => {
    const history = await world.open({ path: '/history' })
    const entry = history.locator('.entries li').first()
    expect((await entry.innerText()).includes('Perhaps added'), 'the list says so', await entry.innerText())
    expect((await history.locator('.totals').innerText()).includes('Perhaps added'), 'the sums too')
    await text(history, 'Whether it was added to your tasks is not known.')
  })
}
