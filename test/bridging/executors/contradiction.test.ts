import { describe, expect, it } from 'vitest'
import { relation } from '../../../src/bridging/executors/builtin/contradiction.ts'

describe('relation', () => {
  it.each([
    ['Use pnpm, not npm.', 'Use npm in shop.'],
    ['The user prefers pnpm over npm.', 'We use npm.'],
    ['Go back to npm, pnpm breaks our Docker cache.', 'Use pnpm from now on.'],
    ['The API runs on port 9000.', 'The API runs on port 8081.'],
    ['The port is 8081, not 8080.', 'The API runs on port 8080.'],
    ['Our staging URL is https://b.example.com.', 'The staging URL is https://a.example.com.'],
    ['We are switching from Jest to Vitest.', 'We use Jest for unit tests.'],
    ['Use spaces from now on.', 'I prefer tabs.'],
    ['Use two spaces, not tabs.', 'Use tabs instead of spaces in shop.'],
    ['Answer in English from now on.', 'Answer in German.'],
    ['Keep answers detailed.', 'The user prefers short answers.'],
    ["shop: Let's use Redis streams for the job queue rather than RabbitMQ.", 'shop: We use RabbitMQ for the job queue.'],
    ['shop: The retry limit is 5, not 3.', 'shop: The retry limit is 3.'],
    ['Always squash before merging.', 'Never squash before merging.'],
    ['shop: We decided to use MySQL for the ledger.', "shop: Let's go with Postgres for the ledger."],
    ['The feature freeze is on 2026-06-19.', 'The feature freeze is on 2026-06-12.'],
  ])('%s replaces: %s', (later, earlier) => {
    expect(relation(later, earlier)).toBe('replaces')
  })

  it.each([
    ['Payments owns the checkout flow.', 'Platform owns the search flow.'],
    ['Payments works on billing.', 'Platform works on billing.'],
    ['ERR_LEDGER_18 means a missing period.', 'ERR_LEDGER_17 means a closed period.'],
    ['Use Redis rather than RabbitMQ for the job queue.', 'RabbitMQ credentials rotate every month.'],
    ['Use tabs in Makefiles.', 'Use spaces in YAML files.'],
    ['Never push to main.', 'Never commit secrets.'],
    ['We use Sentry for errors.', 'We use Datadog for metrics.'],
    ['Prefer composition over inheritance.', 'Prefer early returns.'],
    ['The search service runs on port 9200.', 'The API runs on port 8081.'],
    ['Use pnpm, not npm.', 'Use named exports, not default exports.'],
    ['In quarry-17 the user always wants yarn and never npm.', 'In harbor-42 the user always wants npm and never bun.'],
    ['In quarry-17 the user always wants yarn and never npm.', 'Use npm.'],
  ])('%s leaves alone: %s', (later, earlier) => {
    expect(relation(later, earlier)).toBe('unrelated')
  })

  it.each([
    ['Use pnpm, not npm.', 'Use pnpm, not npm.'],
    ['Always run the linter before committing.', 'Always run the linter before committing!'],
  ])('%s says the same as: %s', (later, earlier) => {
    expect(relation(later, earlier)).toBe('same')
  })
})
