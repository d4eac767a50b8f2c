/** The accessibility check, in every state in which it is asked. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** @param {import('playwright-core').Page} page @returns {Promise<string[]>} one line a violation */
export async function violations(page) {
  await page.evaluate(SOURCE)
  const results = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }))
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
  )
}
