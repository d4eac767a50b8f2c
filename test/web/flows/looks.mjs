/** Every page and state in light and dark, wide and narrow, enlarged, and in the colours of a user who chose them; and a picture of each to look at. */
import { expect } from '../../hosts/steps.mjs'
import { look } from '../look.mjs'
import { fillPast } from '../past.mjs'
import { phase, text } from '../world.mjs'

const WIDE = { width: 1100, height: 780 }
/** What 1280 px are at 400 %. */
const NARROW = { width: 320, height: 640 }
/** What the wide one is at 200 %. */
const ZOOMED = { width: 550, height: 390 }

/** In all states; then those in which something may give way. */
const LOOKS = [
  ['light-1100', { colorScheme: 'light', viewport: WIDE }],
  ['dark-1100', { colorScheme: 'dark', viewport: WIDE }],
  ['light-320', { colorScheme: 'light', viewport: NARROW }],
  ['dark-320', { colorScheme: 'dark', viewport: NARROW }],
]
const FURTHER_LOOKS = [
  ['zoomed', { viewport: ZOOMED }],
  ['large-text', { viewport: WIDE, fontSize: '200%' }],
  ['forced-colours', { viewport: WIDE, forcedColors: 'active' }],
]

const LONG =
  'Ring the appointment desk about the Donaudampfschifffahrtsgesellschaftskapitänspatent-and-then-some letter, 👩‍👩‍👧‍👦 bring the file, and ask whether Tuesday, the seventh, is still good for all of us'
const RTL = 'اتصل بأمك بعد الغداء 📞 ثم اخرج للمشي حول الحديقة'
const HOSTILE = '<img src=x onerror=alert(1)> & "quotes" \' <script>alert(2)</script>'

export async function looksFlow(step, world, folder) {
  await step('with nothing in the history yet', async () => {
    const page = await world.open({ path: '/history' })
    await look(page, folder, 'history-empty')
    const brief = await world.open({ path: '/brief' })
    await look(brief, folder, 'brief-empty')
    await fillPast(world.aw.url)
  })
  for (const [name, options] of LOOKS) await everything(step, world, await viewed(world, folder, name, options))
  for (const [name, options] of FURTHER_LOOKS) await theHardest(step, await viewed(world, folder, name, options))
}

/** A page and what is done with it in every look. */
async function viewed(world, folder, name, { fontSize, ...options }) {
  const page = await world.open({ ...options, deviceScaleFactor: 2, reducedMotion: 'reduce', expects: /status of (400|404|409|502)/ })
  const enlarge = () => page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), fontSize ?? '')
  await enlarge()
  return {
    name,
    page,
    check: (state) => look(page, folder, `${state}-${name}`),
    async at(path) {
      await page.goto(world.url + path)
      await page.waitForSelector('html[data-ready]')
      await enlarge()
    },
    /** What was dismissed in the look before is asked again, and then marked. */
    async proposed(words, why) {
      world.model.insist({ next_action: words, rationale: why })
      const { offscreen } = await world.state()
      await world.command({ name: offscreen.status === 'proposed' ? 'another' : 'start' })
      await text(page, words)
      await phase(page, 'proposed')
      world.model.insist(undefined)
    },
    async panels() {
      for (const panel of ['snooze', 'edit']) {
        await page.click(`[popovertarget=${panel}]`)
        await page.waitForSelector(`#${panel}:popover-open`)
        await look(page, folder, `${panel}-${name}`)
        await page.keyboard.press('Escape')
      }
    },
    async tried(button) {
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('alert').filter({ visible: true }).waitFor()
      await phase(page, 'proposed')
      await page.waitForFunction(() => document.querySelector('[aria-disabled]') === null)
    },
    async ended(name) {
      await world.command({ name })
      await phase(page, name === 'confirm' ? 'confirmed' : 'dismissed')
    },
  }
}

async function everything(step, world, { name, page, check, at, proposed, panels, tried, ended }) {
  const { model } = world

  await step(`${name}: before, during and after a proposal`, async () => {
    await check('idle')
    const release = model.hold()
    model.insist({
      next_action: 'Walk to the river and back',
      rationale: 'You have been at the screen for three hours, and it has stopped raining.',
    })
    await page.click('[data-command=start] button')
    await phase(page, 'proposing')
    const moving = await page.evaluate(() => getComputedStyle(document.querySelector('.kicker'), '::before').animationName)
    expect(moving === 'none', 'nothing moves for who wants it so', moving)
    await check('proposing')
    release()
    await phase(page, 'proposed')
    model.insist(undefined)
    await check('proposed')
    await panels()
    await page.locator('[data-options] summary').click()
    await check('options')
    await page.locator('[data-options] summary').click()
    await world.command({ name: 'snooze', args: { minutes: 30 } })
    await phase(page, 'asleep')
    await check('asleep')
    await world.command({ name: 'start' })
    await world.command({ name: 'edit', args: { text: 'Walk once around the block' } })
    await text(page, 'Walk once around the block')
    await check('own-words')
    await ended('confirm')
    await check('confirmed')
  })

  await step(`${name}: long words, emoji, writing from right to left, and text that looks like HTML`, async () => {
    await proposed(LONG, LONG)
    await check('long')
    await proposed(RTL, RTL)
    await check('right-to-left')
    await proposed(HOSTILE, HOSTILE)
    expect((await page.locator('main img, main script').count()) === 0, 'text stays text')
    await check('html')
    await world.command({ name: 'dismiss' })
    await phase(page, 'dismissed')
    await check('dismissed')
    await page.fill('#reason', HOSTILE)
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.locator('#reason').waitFor({ state: 'hidden' })
    await check('because')
  })

  await step(`${name}: what fails, what may have failed, and what was there already`, async () => {
    model.broken = true
    await page.click('[data-command=start] button')
    await phase(page, 'failed')
    await check('failed')
    model.broken = false
    await proposed('Mow the lawn, never', 'The grass is high, and tomorrow it rains.')
    await tried('Confirm')
    await check('not-added')
    await proposed('Buy milk, perhaps', 'There is none for tomorrow.')
    await tried('Confirm')
    await check('perhaps-added')
    await ended('dismiss')
    await proposed('Water the plants', 'It is on your list, and takes five minutes.')
    await ended('confirm')
    await text(page, 'It is on your list already.')
    await check('existing')
  })

  await step(`${name}: the other pages`, async () => {
    for (const days of ['', '?days=7', '?days=91']) {
      await at(`/history${days}`)
      await check(`history${days.replace('?days=', '-')}`)
    }
    await page.locator('.table summary').click()
    await check('history-table')
    await page.locator('.table summary').click()
    await page.locator('.entries .forget summary').first().click()
    await page.locator('.forget.all summary').click()
    await check('history-forget')
    await at('/history?days=7&forgotten')
    await check('history-forgotten')
    await at('/brief')
    await check('brief')
    await page.locator('.whole > summary').first().click()
    await check('brief-whole')
    await at('/settings')
    for (const summary of await page.locator('.fixed summary').all()) await summary.click()
    await check('settings')
    await page.fill('[name=knowledge_path]', '/etc/passwd')
    await page.getByRole('button', { name: 'Save' }).click()
    await text(page, 'Not saved.')
    await check('settings-refused')
    await at('/settings?saved')
    await check('settings-saved')
    await at('/nothing')
    await check('not-found')
    await at('/history?days=1000')
    await check('error')
    await at('/')
    await proposed('Sit in the sun', '')
    await ended('dismiss')
  })
  await page.context().close()
}

async function theHardest(step, { name, page, check, at, proposed, panels, tried, ended }) {
  await step(`${name}: what may give way`, async () => {
    await proposed(LONG, LONG)
    await check('long')
    await panels()
    await proposed('Buy milk, perhaps', 'There is none for tomorrow.')
    await tried('Confirm')
    await check('perhaps-added')
    await ended('dismiss')
    await at('/history')
    await check('history')
    await page.locator('.entries .forget summary').first().click()
    await check('history-forget')
    await at('/brief')
    await check('brief')
    await at('/settings')
    for (const summary of await page.locator('.fixed summary').all()) await summary.click()
    await check('settings')
    await at('/')
  })
  await page.context().close()
}
