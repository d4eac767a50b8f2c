/** Every page and state in light and dark, wide and narrow: no violation, nothing that sticks out, and a picture of each to look at. */
import { join } from 'node:path'
import { expect } from '../../hosts/steps.mjs'
import { violations } from '../axe.mjs'
import { phase, text } from '../world.mjs'

const WIDE = { width: 1100, height: 780 }
/** What 1280 px are at 400 %. */
const NARROW = { width: 320, height: 640 }

const LONG =
  'Ring the appointment desk about the Donaudampfschifffahrtsgesellschaftskapitänspatent-and-then-some letter, 👩‍👩‍👧‍👦 bring the file, and ask whether Tuesday, the seventh, is still good for all of us'
const RTL = 'اتصل بأمك بعد الغداء 📞 ثم اخرج للمشي حول الحديقة'
const HOSTILE = '<img src=x onerror=alert(1)> & "quotes" \' <script>alert(2)</script>'

export async function looksFlow(step, world, folder) {
  const { model } = world
  const looks = [
    ['light', WIDE],
    ['dark', WIDE],
    ['light', NARROW],
    ['dark', NARROW],
  ]
  for (const [colorScheme, viewport] of looks) {
    const name = `${colorScheme}-${viewport.width}`
    const page = await world.open({
      colorScheme,
      viewport,
      deviceScaleFactor: 2,
      reducedMotion: 'reduce',
      expects: /status of (400|404|409)/,
    })
    const check = async (state) => {
      await page.screenshot({ path: join(folder, `${state}-${name}.png`), fullPage: true })
      const found = await violations(page)
      expect(found.length === 0, `axe finds nothing in ${state}`, found.join('\n'))
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(over <= 0, `nothing sticks out in ${state}`, `${over} px`)
      const small = await page.evaluate(smallTargets)
      expect(small.length === 0, `every target in ${state} has 24 px`, small.join('\n'))
    }
    const at = async (path) => {
      await page.goto(world.url + path)
      await page.waitForSelector('html[data-ready]')
    }
    const proposed = async (words, why) => {
      // What was dismissed in the look before is asked again, and then marked.
      model.insist({ next_action: words, rationale: why })
      const { offscreen } = await world.state()
      await world.command({ name: offscreen.status === 'proposed' ? 'another' : 'start' })
      await text(page, words)
      await phase(page, 'proposed')
      model.insist(undefined)
    }

    await step(`${name}: before, during and after a proposal`, async () => {
      await check('idle')
      const release = model.hold()
      model.insist({
        next_action: 'Walk to the river and back',
        rationale: 'You have been at the screen for three hours, and it has stopped raining.',
      })
      await page.click('[data-command=start] button')
      await phase(page, 'proposing')
      await check('proposing')
      release()
      await phase(page, 'proposed')
      model.insist(undefined)
      await check('proposed')
      for (const panel of ['snooze', 'edit', 'reason']) {
        await page.click(`[popovertarget=${panel}]`)
        await page.waitForSelector(`#${panel}:popover-open`)
        await check(panel)
        await page.keyboard.press('Escape')
      }
      await page.locator('[data-shortcuts] summary').click()
      await check('keys')
      await world.command({ name: 'snooze', args: { minutes: 30 } })
      await phase(page, 'asleep')
      await check('asleep')
      await world.command({ name: 'confirm' })
      await phase(page, 'confirmed')
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
      await world.command({ name: 'dismiss', args: { reason: HOSTILE } })
      await phase(page, 'dismissed')
      await check('dismissed')
    })

    await step(`${name}: an error`, async () => {
      model.broken = true
      await page.click('[data-command=start] button')
      await phase(page, 'failed')
      await check('failed')
      model.broken = false
    })

    await step(`${name}: the other pages`, async () => {
      for (const days of ['', '?days=7', '?days=91']) {
        await at(`/history${days}`)
        await check(`history${days.replace('?days=', '-')}`)
      }
      await page.locator('.table summary').click()
      await check('history-table')
      await at('/brief')
      await check('brief')
      await at('/settings')
      for (const summary of await page.locator('.fixed summary').all()) await summary.click()
      await check('settings')
      await page.fill('[name=knowledge_path]', '/etc/passwd')
      await page.getByRole('button', { name: 'Save' }).click()
      await text(page, 'Not saved.')
      await check('settings-refused')
      await at('/nothing')
      await check('not-found')
      await at('/history?days=1000')
      await check('error')
      await at('/')
      await world.command({ name: 'start' })
      await phase(page, 'proposed')
      await world.command({ name: 'dismiss' })
      await phase(page, 'dismissed')
    })
    await page.context().close()
  }
}

/** WCAG 2.2, 2.5.8; links in a sentence are let off there. Runs in the page. */
function smallTargets() {
  const LEAST = 24
  return [...document.querySelectorAll('a, button, summary, input:not([type=hidden]), select, textarea')]
    .filter((element) => element.getClientRects().length > 0 && !element.matches('.skip, input[type=checkbox]'))
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width < LEAST || box.height < LEAST)
    .map(({ element, box }) => `${element.outerHTML.slice(0, 80)}: ${Math.round(box.width)} × ${Math.round(box.height)}`)
}
