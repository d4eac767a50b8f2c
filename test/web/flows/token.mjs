/** A daemon that asks for its token. */
import { expect } from '../../hosts/steps.mjs'
import { look } from '../look.mjs'
import { propose } from '../world.mjs'

export const TOKEN = 'a-token-of-the-tests'

export async function tokenFlow(step, world, folder) {
  const page = await world.open({ path: '/history?days=7', expects: /status of 401/ })
  const enter = async (token) => {
    await page.fill('#token', token)
    await page.getByRole('button', { name: 'Enter' }).click()
  }

  await step('asks for it before it shows anything, and asks the daemon for nothing meanwhile', async () => {
    const asked = []
    page.on('request', (request) => asked.push(request.url()))
    await page.reload()
    await page.waitForSelector('html[data-ready]')
    expect(await page.getByLabel('Token').isVisible(), 'there is a field for it')
    expect((await page.locator('.state').count()) === 0, 'nothing of the daemon is shown')
    expect(!asked.some((url) => url.includes('/api/')), 'no state is asked for', asked.join('\n'))
    await look(page, folder, 'token')
  })

  await step('says that a wrong one is wrong, at the field', async () => {
    await enter('something else of that length')
    await page.getByRole('alert').filter({ visible: true }).waitFor()
    expect((await page.getAttribute('#token', 'aria-describedby')) === 'error', 'the field is described by what is wrong')
    await look(page, folder, 'token-refused')
  })

  await step('lets the right one in where one was going, and is live then', async () => {
    await enter(TOKEN)
    await page.waitForURL('**/history?days=7')
    await page.getByRole('link', { name: 'Now' }).click()
    await page.waitForSelector('[data-card]')
    await page.waitForSelector('html[data-ready]')
    await propose(page)
  })
}
