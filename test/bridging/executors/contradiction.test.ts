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
    ['We deploy service1 on Mondays.', 'We deploy service1 on Fridays.'],
    ['Kafka is owned by Charlie Smith.', 'Kafka is owned by Alpha Smith.'],
    ['Vitest is our test runner.', 'Jest is our test runner.'],
    ["We don't use Jest any more.", 'We use Jest for unit tests.'],
    ['Zephyr 4.0 is our version now.', 'We build with Zephyr 3.7.'],
    ['Backups take 2 hours.', 'Backups take 6 hours.'],
    ['From today use pnpm, not npm.', 'Use npm.'],
    ['We deploy on Mondays because it is calm.', 'We deploy on Fridays because it is calm.'],
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
    // Other subjects
    ['Kafka is owned by Charlie Smith.', 'Postgres is owned by Alpha Smith.'],
    ['Redis is owned by Bravo Smith.', 'Nginx is owned by Delta Smith.'],
    ['We always deploy service2 on Fridays with make ship2.', 'We always deploy service1 on Fridays with make ship1.'],
    ['We deploy service2 on Mondays.', 'We deploy service1 on Fridays.'],
    ['We deploy service2 on Fridays.', 'We deploy on Mondays.'],
    ['Sprint 13 ends on 2026-06-26.', 'Sprint 12 ends on 2026-06-12.'],
    ['The admin API server runs on port 9000.', 'The API server runs on port 8081.'],
    ['The timeout for uploads is 60 seconds.', 'The timeout for Downloads is 30 seconds.'],
    ['Billing uses Postgres.', 'Search uses MySQL.'],
    ['Service1 uses pnpm, not npm.', 'Service2 uses npm.'],
    ['Billing uses npm, not pnpm.', 'We use pnpm.'],
    ['Search is on Java 21 now.', 'Billing is on Java 17.'],
    ["Billing doesn't use Kafka any more.", 'Search uses Kafka for events.'],
    ['Never run the slow suite of service2 before the nightly deploy.', 'Always run the slow suite of service1 before the nightly deploy.'],
    ['Alice is the owner of search.', 'Bob is the owner of billing.'],
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
