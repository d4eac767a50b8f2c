/** What holds of every page in every state: no violation, nothing that sticks out, nothing too small to hit; and a picture to look at. */
import { join } from 'node:path'
import { expect } from '../hosts/steps.mjs'
import { violations } from './axe.mjs'

/** @param {import('playwright-core').Page} page @param {string} folder @param {string} name of the picture */
export async function look(page, folder, name) {
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
  const found = await violations(page)
  expect(found.length === 0, `axe finds nothing in ${name}`, found.join('\n'))
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(over <= 0, `nothing sticks out in ${name}`, `${over} px`)
  const small = await page.evaluate(smallTargets)
  expect(small.length === 0, `every target in ${name} has 24 px`, small.join('\n'))
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
