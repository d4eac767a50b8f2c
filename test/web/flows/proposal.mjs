/** A proposal from beginning to end, with the mouse. */
import { expect } from '../../hosts/steps.mjs'
import { phase, propose, text } from '../world.mjs'

export async function proposalFlow(step, world) {
  const { model, daemon } = world
  const page = await world.open()
  const focused = () => page.evaluate(() => document.activeElement?.id)

  await step('shows at once that nothing is proposed yet', async () => {
    await phase(page, 'idle')
    expect((await page.title()).endsWith('– Keel'), 'the title ends with the name', await page.title())
    expect(await page.locator('[role=status]').first().isVisible(), 'the status is there from the beginning')
  })

  await step('says that it looks for something while the model thinks, and lets that be cancelled', async () => {
    const release = model.hold()
    await page.click('[data-command=start] button')
    await phase(page, 'proposing')
    expect((await focused()) === 'heading', 'the focus is on the heading, for the button is gone', await focused())
    await page.getByRole('button', { name: 'Cancel' }).click()
    await phase(page, 'idle')
    release()
  })

  await step('does not dismiss with Cancel what came while nobody looked', async () => {
    const behind = await world.open({ javaScriptEnabled: false, expects: /status of 409/ })
    const release = model.hold()
    model.say('Beat the carpets')
    await world.command({ name: 'start' })
    await behind.goto(world.url)
    await phase(behind, 'proposing')
    release()
    await phase(page, 'proposed')
    await behind.getByRole('button', { name: 'Cancel' }).click()
    await behind.getByRole('alert').filter({ visible: true }).waitFor()
    expect((await behind.innerText('#heading')) === 'Beat the carpets', 'it shows what came')
    expect((await world.state()).offscreen.status === 'proposed', 'it is still proposed')
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await phase(page, 'dismissed')
  })

  await step('shows the proposal with its reason, and says so in the title and the status', async () => {
    model.say('Walk to the river', 'You sat since nine, and it is dry outside.')
    await propose(page)
    expect((await page.textContent('#heading')) === 'Walk to the river', 'the action is the heading')
    expect(await page.getByText('You sat since nine').isVisible(), 'the rationale is there')
    expect((await page.title()) === 'Proposed: Walk to the river – Keel', 'the title says it', await page.title())
    expect((await page.locator('.kicker').innerText()).startsWith('Proposed'), 'the status says it')
  })

  await step('takes the user’s own words before confirming', async () => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    expect((await focused()) === 'edit-text', 'the field has the focus', await focused())
    await page.fill('#edit-text', 'Walk to the river and back')
    await page.getByRole('button', { name: 'Save' }).click()
    await text(page, 'Walk to the river and back')
    await page.waitForSelector('#edit', { state: 'hidden' })
    await text(page, 'In your own words. What was proposed: “Walk to the river”')
    expect((await page.getByText('You sat since nine').count()) === 0, 'the reason of before is no reason for these')
  })

  await step('snoozes it, says until when, and wakes it again', async () => {
    await page.getByRole('button', { name: 'Snooze' }).click()
    await page.getByRole('button', { name: 'Half an hour' }).click()
    await phase(page, 'asleep')
    expect((await page.locator('.card button:visible').count()) === 1, 'all that is left to do is to wake it')
    expect(
      /^Snoozed until (\d+ \w+, )?\d\d:\d\d/.test(await page.innerText('.kicker')),
      'it says until when',
      await page.innerText('.kicker'),
    )
    await page.getByRole('button', { name: 'Wake it now' }).click()
    await phase(page, 'proposed')
  })

  await step('says before it is confirmed what that does', async () => {
    await text(page, 'Confirming adds it to todo.txt.')
    const button = page.getByRole('button', { name: 'Confirm', exact: true })
    expect((await button.getAttribute('aria-describedby')) === 'adds', 'a screen reader says it with the button')
  })

  await step('confirms it: a task is added, and the focus is on what was confirmed', async () => {
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await phase(page, 'confirmed')
    expect(
      daemon.tasks().some((line) => line.includes('Walk to the river and back')),
      'the task is in the list',
      daemon.tasks().join('\n'),
    )
    await page.waitForFunction(() => document.activeElement?.id === 'heading')
    expect((await page.title()).startsWith('Confirmed:'), 'the title says it', await page.title())
  })

  await step('brings another one, dismisses it with one press, and keeps why where somebody says so', async () => {
    model.say('Read a chapter')
    await propose(page)
    model.say('Call your aunt')
    await page.getByRole('button', { name: 'Another' }).click()
    await text(page, 'Call your aunt')
    await phase(page, 'proposed')
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await phase(page, 'dismissed')
    await page.waitForFunction(() => document.activeElement?.id === 'heading')
    await page.getByLabel('Why not this one?').fill('She is on a plane')
    await page.getByRole('button', { name: 'Keep' }).click()
    await text(page, 'Because: “She is on a plane”.')
    expect(!(await page.locator('#reason').isVisible()), 'it is not asked again')
  })

  await step('takes a dismissal back with one press, and forgets that there was one', async () => {
    await page.getByRole('button', { name: 'Undo' }).click()
    await phase(page, 'proposed')
    expect((await page.innerText('#heading')) === 'Call your aunt', 'it is the same proposal')
    await page.waitForFunction(() => document.activeElement?.id === 'heading')
    const history = await world.open({ path: '/history' })
    const entry = history.locator('.entries li').filter({ hasText: 'Call your aunt' })
    expect((await entry.innerText()).includes('Proposed now'), 'and as what is on the first page', await entry.innerText())
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await phase(page, 'dismissed')
    expect((await page.inputValue('#reason')) === '', 'the reason of before is gone')
    await page.fill('#reason', 'She is on a plane')
    await page.keyboard.press('Enter')
    await text(page, 'Because: “She is on a plane”.')
  })

  await step('says of a task that is on the list already that it is, and adds none', async () => {
    const before = daemon.tasks().length
    model.say('Water the plants')
    await propose(page)
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await phase(page, 'confirmed')
    await text(page, 'It is on your list already.')
    expect(daemon.tasks().length === before, 'no task was added', daemon.tasks().join('\n'))
  })

  await step('dismisses with one press, and takes no second one while it is on the way', async () => {
    await propose(page)
    const sent = []
    let letGo
    const held = new Promise((done) => {
      letGo = done
    })
    await page.route('**/api/command', async (route) => {
      sent.push(route.request().postDataJSON().name)
      await held
      await route.continue()
    })
    const dismiss = page.getByRole('button', { name: 'Dismiss', exact: true })
    await dismiss.click()
    await page.waitForSelector('[data-command=confirm] [aria-disabled=true]')
    // `force`: to the test as to a screen reader it is disabled; a finger presses it all the same.
    for (const name of ['Dismiss', 'Confirm', 'Another']) await page.getByRole('button', { name, exact: true }).click({ force: true })
    letGo()
    await phase(page, 'dismissed')
    await page.waitForFunction(() => document.querySelector('[aria-disabled]') === null)
    expect(sent.join() === 'dismiss', 'one command was sent', sent.join())
    await page.unroute('**/api/command')
  })

  await step('says what failed where no proposal comes, and tries again', async () => {
    model.broken = true
    const own = await world.open()
    await own.click('[data-command=start] button')
    await phase(own, 'failed')
    const alert = own.getByRole('alert').filter({ visible: true })
    expect((await alert.innerText()).length > 10, 'the alert says what', await alert.innerText())
    expect(await own.locator('.card').getByRole('link', { name: 'Settings' }).isVisible(), 'and the settings are at hand')
    model.broken = false
    await own.getByRole('button', { name: 'Try again' }).click()
    await phase(own, 'proposed')
    expect((await alert.count()) === 0, 'the alert is gone')
    await own.getByRole('button', { name: 'Dismiss', exact: true }).click()
    await phase(own, 'dismissed')
  })

  await step('shows all of it in the history, as a picture, a table and a list', async () => {
    const history = await world.open({ path: '/history' })
    expect((await history.locator('.wide-screen title').textContent()).includes('2 confirmed'), 'the picture says its numbers')
    expect((await history.locator('.wide-screen rect.confirmed').count()) === 1, 'there is a column of what was confirmed')
    await history.getByText('The picture as a table').click()
    expect((await history.locator('tbody tr').count()) === 1, 'the table has the day')
    const entries = await history.locator('.day > .entries').innerText()
    for (const words of ['Walk to the river and back', 'Confirmed', 'She is on a plane', 'Dismissed'])
      expect(entries.includes(words), `the list has ${words}`, entries)
    await history.getByText('1 put aside for another one').click()
    await text(history, 'Read a chapter')
    await history.getByRole('link', { name: 'A week' }).click()
    expect((await history.locator('.wide-screen .days text').count()) === 7, 'a week has seven days')
  })

  await step('shows all that was sent, and where it went', async () => {
    const brief = await world.open({ path: '/brief' })
    const sent = await brief.getByRole('region', { name: 'The brief' }).innerText()
    for (const words of ['Water the plants', '## Recently proposed', 'Call your aunt'])
      expect(sent.includes(words), `the brief has ${words}`, sent)
    await text(brief, `This went to the model server at ${model.url}, on this machine`)
    await brief
      .getByText(/^All that was sent/)
      .first()
      .click()
    const whole = await brief.getByRole('region', { name: /^All that was sent/ }).innerText()
    expect(whole.includes('You help one person') && whole.includes('Water the plants'), 'with the instructions', whole)
  })
}
