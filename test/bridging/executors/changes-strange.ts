/**
 * Conversations that try to mislead what replaces and what takes back; written and labelled after those rules and before they were changed
 * for them, when 23 of 28 came out right.
 */
import type { Change } from './changes.ts'

export const changesStrange: readonly Change[] = [
  { says: ['The API runs on port 8081.', 'The admin API now runs on port 9000.'], holds: ['8081', '9000'] },
  { says: ['The staging db is at pg-a.example.', 'The staging cache is now at redis-b.example.'], holds: ['pg-a', 'redis-b'] },
  {
    says: ['The staging db is at pg-a.example.', 'The staging db is backed up to s3://dumps/pg every night now.'],
    holds: ['pg-a', 's3://dumps'],
  },
  { says: ['The API lives in apps/api-v1.', 'The API is owned by team-7 now.'], holds: ['apps/api-v1', 'team-7'] },
  { says: ['The request timeout is 30 seconds.', 'The request retries are limited to 3 per minute now.'], holds: ['30 seconds'] },
  { says: ['Sessions expire after 30 days.', 'Invoices expire after 14 days now.'], holds: ['30 days', '14 days'] },
  { says: ['We use Node 20 in production.', 'We upgraded to Node 22 in CI.'], holds: ['22'] },
  { says: ['We use Postgres 15.', 'We upgraded Redis to Redis 7.'], holds: ['Postgres 15'] },
  {
    says: ['Never push to main.', 'Always rebase before you push.', 'never mind the rebase thing'],
    holds: ['Never push to main'],
    gone: ['rebase'],
  },
  {
    says: [
      'Never use default exports.',
      'Never use any in TypeScript.',
      'Never use enums in TypeScript.',
      'forget what I said about TypeScript enums',
    ],
    holds: ['default exports', 'any in TypeScript'],
    gone: ['enums'],
  },
  { says: ['Never commit secrets.', 'never mind the test failures'], holds: ['secrets'] },
  { says: ['Always run the tests before you push.', 'never mind the tests'], gone: ['tests'] },
  { says: ['Always write tests.', 'ignore the tests for now'], holds: ['Always write tests'] },
  { says: ['Always run the linter before you commit.', 'forget the linter for a moment, why is it red?'], holds: ['linter'] },
  { says: ['Use pnpm, not npm.', 'scratch that idea with the cache'], holds: ['pnpm'] },
  { says: ['Use pnpm, not npm.', 'drop the index on users'], holds: ['pnpm'] },
  { says: ['Our queue is RabbitMQ.', 'cancel the RabbitMQ job'], holds: ['RabbitMQ'] },
  { says: ['Our queue is RabbitMQ.', 'undo the RabbitMQ part'], holds: ['RabbitMQ'] },
  { says: ['I live in Lisbon.', 'I live in constant fear of Mondays'], holds: ['Lisbon'] },
  { says: ['I live in Lisbon.', 'We moved to Porto with the servers.'], holds: ['Lisbon'] },
  { says: ['I work on the billing team.', 'I live in Porto.'], holds: ['billing', 'Porto'] },
  { says: ['The retry limit is 3.', 'The retry limit is 5 in staging now.'], holds: ['5 in staging'] },
  { says: ['Only the lead can approve prod.', 'Only the lead can approve staging.'], holds: ['prod', 'staging'] },
  { says: ['No deploys after 16:00.', 'No deploys on Fridays.'], holds: ['16:00', 'Fridays'] },
  { says: ['Never merge without two approvals.', 'Never merge without a green build.'], holds: ['two approvals', 'green build'] },
  { says: ['We use GitHub Actions for CI.', 'We moved to GitLab CI for the deployments only.'], holds: ['GitHub Actions', 'GitLab'] },
  { says: ['Prefer rg to grep.', 'Prefer fd to find.'], holds: ['rg', 'fd'] },
  { says: ['ERR_17 means a closed period.', 'ERR_17 means a missing period now, not a closed one.'], holds: ['missing period'] },
]
