import { expect, it } from 'vitest'
import { askAbout } from '../../src/demo/ask-about.ts'

it.each([
  ['shop: Our feature flags live in LaunchDarkly.', 'Where are our feature flags in shop?'],
  ['shop: The dashboards sit under /grafana.', 'Where are the dashboards in shop?'],
  ['shop: The staging site lives at stage.example.', 'Where is the staging site in shop?'],
])('asks about %j in the number that the line has', (line, question) => {
  expect(askAbout('memory', 'shop-facts', line)?.text).toBe(question)
})
