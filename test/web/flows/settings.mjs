/** Settings with the script. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '../../hosts/steps.mjs'
import { text } from '../world.mjs'

export async function settingsFlow(step, world) {
  const page = await world.open({ path: '/settings', expects: /status of 400/ })
  const save = () => page.getByRole('button', { name: 'Save' }).click()
  const stored = () => readFileSync(join(world.daemon.home, '.config', 'keel', 'settings.json'), 'utf8')

  await step('shows what the environment sets, and has no field for it', async () => {
    expect((await page.locator('[name=ai_backend]').count()) === 0, 'no field')
    expect((await page.locator('main').innerText()).includes('KEEL_AI_BACKEND'), 'it says what sets it')
    expect((await page.locator('[name=marvin_cmd], [name=ai_key], [name=todo_txt]').count()) === 0, 'commands and keys are no fields')
  })

  await step('says what follows from a choice before it is saved', async () => {
    const means = () => page.innerText('[data-means=memory]')
    expect((await means()) === '', 'nothing yet', await means())
    await page.selectOption('[name=memory]', 'none')
    expect((await means()) === 'Without ActivityWatch nothing is remembered.', 'it says it', await means())
    await page.selectOption('[name=memory]', 'auto')
    expect((await means()) === '', 'nothing again', await means())
  })

  await step('asks before what was typed is lost, and not where nothing was', async () => {
    await page.reload()
    await page.waitForSelector('html[data-ready]')
    await page.selectOption('[name=screen_time]', 'off')
    let asked = 0
    page.on('dialog', (dialog) => {
      asked++
      return dialog.dismiss()
    })
    const dialog = page.waitForEvent('dialog')
    await page.getByRole('link', { name: 'History' }).click({ noWaitAfter: true })
    await dialog
    expect(page.url().endsWith('/settings'), 'it is still there', page.url())
    expect((await page.inputValue('[name=screen_time]')) === 'off', 'with what was chosen')
    await page.selectOption('[name=screen_time]', 'on')
    await page.getByRole('link', { name: 'History' }).click()
    await page.waitForURL('**/history')
    expect(asked === 1, 'it asked once', asked)
    await page.goto(`${world.url}/settings`)
    await page.waitForSelector('html[data-ready]')
  })

  await step('refuses a change at the field that it is about, and changes nothing', async () => {
    const before = await world.state()
    await page.fill('[name=knowledge_path]', '/etc/passwd')
    await save()
    await text(page, 'Not saved.')
    const field = page.locator('[name=knowledge_path]')
    expect((await field.getAttribute('aria-invalid')) === 'true', 'the field is marked')
    const wrong = page.locator('[data-wrong=knowledge_path]')
    expect((await wrong.innerText()).length > 10, 'it says why', await wrong.innerText())
    expect((await field.getAttribute('aria-describedby')).includes(await wrong.getAttribute('id')), 'and is described by it')
    expect(await field.evaluate((element) => element === document.activeElement), 'and has the focus')
    expect((await field.inputValue()) === '/etc/passwd', 'what was typed is there')
    const after = await world.state()
    expect(after.ai === before.ai && after.tasks === before.tasks, 'the services are those of before')
  })

  await step('saves what is right, says so, and where it comes from now', async () => {
    await page.fill('[name=knowledge_path]', '~/goals.md')
    await page.selectOption('[name=screen_time]', 'off')
    await save()
    await text(page, 'Saved.')
    expect((await page.locator('[aria-invalid]').count()) === 0, 'no field is marked any more')
    expect((await page.innerText('[data-wrong=knowledge_path]')) === '', 'and what was wrong is gone')
    expect(stored().includes('goals.md') && stored().includes('screen_time'), 'the file has it', stored())
    expect((await page.innerText('[data-source=screen_time]')) === '(from the settings file)', 'it says that the file has it')
    await page.reload()
    expect((await page.inputValue('[name=screen_time]')) === 'off', 'it is there after loading again')
  })

  await step('undoes nothing that another tab changed meanwhile, with the script and without', async () => {
    for (const [count, javaScriptEnabled] of [true, false].entries()) {
      const [one, two] = [
        await world.open({ path: '/settings', javaScriptEnabled }),
        await world.open({ path: '/settings', javaScriptEnabled }),
      ]
      const saved = (tab) => tab.waitForFunction(() => document.querySelector('[data-saved]').textContent === 'Saved.')
      await one.selectOption('[name=screen_time]', count === 0 ? 'on' : 'off')
      await one.getByRole('button', { name: 'Save' }).click()
      await (javaScriptEnabled ? saved(one) : one.waitForURL('**/settings?saved'))
      await two.fill('[name=todoist_filter]', `today ${count}`)
      await two.getByRole('button', { name: 'Save' }).click()
      await (javaScriptEnabled ? saved(two) : two.waitForURL('**/settings?saved'))
      await page.reload()
      expect((await page.inputValue('[name=screen_time]')) === (count === 0 ? 'on' : 'off'), 'the first change is there', count)
      expect((await page.inputValue('[name=todoist_filter]')) === `today ${count}`, 'the second one too', count)
    }
  })

  await step('says beside the field what is strange about what was saved', async () => {
    await page.fill('[name=knowledge_path]', '~/later.md')
    await save()
    await text(page, 'Saved.')
    const note = await page.innerText('[data-note=knowledge_path]')
    expect(note.length > 10, 'there is no such file yet', note)
    await page.fill('[name=knowledge_path]', '~/goals.md')
    await save()
    await page.waitForFunction(() => document.querySelector('[data-note=knowledge_path]').textContent === '')
  })

  await step('uses it for the next brief', async () => {
    const main = await world.open()
    await main.click('[data-command=start] button')
    await main.waitForSelector('[data-phase=proposed]')
    const brief = await world.open({ path: '/brief' })
    expect((await brief.getByRole('region', { name: 'The brief' }).innerText()).includes('Move every day.'), 'the goals are in the brief')
  })
}
