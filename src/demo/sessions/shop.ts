/** Four weeks of a small team's work on a web shop, as its developer had it with two agents. Written for the demo; nobody in it is real. */
import { type Conversation, fails, works } from './conversation.ts'

const REFUSED = `> shop@2.4.0 test
> vitest run

 FAIL  test/ledger.test.ts > books an order
Error: connect ECONNREFUSED 127.0.0.1:5432
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1595:16)

 Test Files  1 failed | 11 passed (12)`

const MISSING_MODULE = `==================================== ERRORS ====================================
______________________ ERROR collecting tests/test_export.py ______________________
ModuleNotFoundError: No module named 'billing_export'
=========================== short test summary info ============================
ERROR tests/test_export.py`

export const conversations: readonly Conversation[] = [
  {
    host: 'claude-code',
    project: 'work/shop',
    title: 'Ledger test cannot reach the database',
    daysAgo: 27,
    turns: [
      { injected: '<system-reminder>The task list is empty. This is a reminder from the program and not from the user.</system-reminder>' },
      { user: 'Hi, the ledger test fails on a fresh checkout. Can you find out why?' },
      { agent: "I'll run the tests first." },
      fails('npm test', REFUSED),
      { agent: 'The test expects Postgres on port 5432. There is a compose file, so the database is probably just not running.' },
      works('cat docker-compose.yml', 'services:\n  db:\n    image: postgres:16\n    ports: ["5432:5432"]'),
      works('docker compose up -d db', ' Container shop-db-1  Started'),
      works('npm test', ' Test Files  12 passed (12)\n      Tests  148 passed (148)'),
      {
        agent:
          'All 148 tests pass now. The database container was not running; `docker compose up -d db` starts it. Shall I write that into the README, with a section about the compose file and how to reset the data?',
      },
      { user: 'No need. I prefer short answers without a summary at the end.' },
      { agent: 'Understood.' },
      {
        user: 'Some context for the next days: we use npm for everything in this repo. The API runs on port 8081.\nCan you check that the port is in the .env.example?',
      },
      works('grep -n PORT .env.example', '3:API_PORT=8081'),
      { agent: 'It is, line 3.' },
    ],
  },
  {
    host: 'codex',
    project: 'work/shop',
    title: 'Choose the store for the ledger',
    daysAgo: 22,
    turns: [
      {
        user: 'The ledger still writes to two places. Which options do we have? Maybe we should always write to both and reconcile at night?',
      },
      {
        agent:
          'Three options: keep both and reconcile, event sourcing with Kafka, or one Postgres schema with row-level locks. I would recommend Kafka, because it scales best.',
      },
      { user: "Kafka is too much for us. Let's go with Postgres for the ledger, because we need row-level locks and nothing else." },
      works(
        'rg -n "ledgerWriter" src',
        'src/orders/checkout.ts:41:  await ledgerWriter.append(entry)\nsrc/refunds/refund.ts:18:  await ledgerWriter.append(entry)',
      ),
      { agent: 'Two callers use the writer. I can point both at the new schema.' },
      { user: 'Good. Our staging URL is https://staging.shop.example.com, try it there when you are done.' },
      { agent: 'Will do.' },
      { user: '> Always write to both stores.\nThat is what the old wiki page says. Ignore it.' },
      works('curl -s -o /dev/null -w "%{http_code}" https://staging.shop.example.com/health', '200'),
      { agent: 'Staging answers with 200.' },
    ],
  },
  {
    host: 'claude-code',
    project: 'work/shop',
    title: 'Refunds in a closed period',
    daysAgo: 18,
    turns: [
      { user: 'A refund fails with ERR_LEDGER_17 and nobody knows what that is. Look for it.' },
      works('rg -n ERR_LEDGER_17', 'src/ledger/errors.ts:12:  ERR_LEDGER_17: "period",'),
      { agent: 'It is thrown when the period check fails. I think it means that the date is wrong.' },
      {
        user: 'No, ERR_LEDGER_17 means that the accounting period is closed; such refunds go into the next period. Remember that only finance can reopen a period.',
      },
      {
        agent:
          'Then I will book the refund into the next period. I always use default exports for new modules, so I created src/refunds/next-period.ts with one.',
      },
      { user: 'No, use named exports instead of default exports. And never log customer e-mail addresses, they are personal data.' },
      {
        writes: 'src/refunds/next-period.ts',
        content: 'export function nextPeriod(date: Date): number {\n  return date.getUTCMonth() + 2\n}\n',
      },
      works('npm test', ' Test Files  13 passed (13)'),
      { agent: 'Done, with a named export.' },
      { user: 'What if the refund is for December?' },
      { agent: 'Good question: the month would be 13. I will fix that.' },
    ],
  },
  {
    host: 'codex',
    project: 'work/billing-export',
    title: 'Run the export tests',
    daysAgo: 13,
    turns: [
      { user: 'Please run the tests of this project.' },
      fails('pytest tests', MISSING_MODULE),
      { agent: 'The package is not installed in this environment. The project has a uv.lock, so I will run the tests through uv.' },
      works('uv run pytest tests', '27 passed in 1.31s'),
      { agent: '27 tests pass with `uv run pytest tests`.' },
      { user: 'Right. For Python always use uv, never pip.' },
      { user: 'We decided to deliver invoices as PDF/A-3, because the tax office wants the XML inside the file.' },
      { agent: 'Noted. I will add the XML attachment to the renderer.' },
      { user: 'The exports bucket is acme-invoices-eu. The AWS access key is AKIAIOSFODNN7EXAMPLE, put it into your shell for now.' },
      { agent: 'I would rather not handle the key in plain text; please export it yourself.' },
    ],
  },
  {
    host: 'claude-code',
    project: 'work/shop',
    title: 'Move to pnpm',
    daysAgo: 8,
    turns: [
      { user: 'The lock file is converted. From now on use pnpm instead of npm.' },
      works('pnpm install --frozen-lockfile', 'Lockfile is up to date\nDone in 3.1s'),
      { agent: 'Installed with pnpm. I will start the API to see that everything works on port 8081.' },
      fails('pnpm dev', 'Error: listen EADDRINUSE: address already in use 127.0.0.1:8081'),
      { user: 'Actually, the API runs on port 9000 now, the metrics agent took 8081.' },
      { agent: 'Thanks, then the README is out of date too.' },
      { user: 'The payments team owns the checkout flow. Ask me before you change anything about prices.' },
      { agent: 'I will ask before touching prices.' },
      { user: 'The build is slow today, it took nine minutes.' },
    ],
  },
  {
    host: 'codex',
    project: 'work/shop',
    title: 'Plan the spring release',
    daysAgo: 3,
    turns: [
      { user: 'Write a capacity plan for the spring sale into docs. We expect three times the load of last year.' },
      {
        writes: 'docs/capacity-plan.md',
        content:
          '# Capacity plan for the spring sale\n\nExpected load: three times last year, 240 orders a minute.\n\n| part | today | needed |\n| --- | --- | --- |\n| API | 4 pods | 10 pods |\n',
      },
      { agent: 'The plan is in docs/capacity-plan.md: ten API pods, and the ledger needs a larger connection pool.' },
      { user: 'I am the release manager this quarter. We deploy from the release branch every Tuesday, so be done by then.' },
      { agent: 'Understood. Should I also prepare the rollback notes?' },
      { user: 'yes please' },
      { agent: 'They are in the plan, last section.' },
    ],
  },
  {
    host: 'claude-code',
    project: 'work/shop',
    title: 'Money type',
    daysAgo: 1,
    turns: [
      {
        user: 'I see 0.30000000000000004 in the cart. Prices are stored as integers in cents, never as floats. Where does the float come from?',
      },
      works('rg -n "parseFloat" src/cart', 'src/cart/discount.ts:22:  const value = parseFloat(input)'),
      { agent: 'From the discount field: it is parsed as a float in src/cart/discount.ts, line 22.' },
      { user: 'Fix it, and add a test with 10 and 20 cents.' },
      { writes: 'test/discount.test.ts', content: "import { test } from 'vitest'\n" },
      works('pnpm test', ' Test Files  14 passed (14)'),
      { agent: 'Fixed. The discount is parsed to cents at once, and the test covers 10 and 20 cents.' },
      { user: 'Great, thanks! If I used decimal.js everywhere, would that be slower?' },
      { agent: 'Somewhat; for sums in cents integers are enough.' },
    ],
  },
]
