/**
 * Conversations in which something changes, labelled before the rules were: each message a day after the one before. `holds`: words that
 * stand in some line afterwards. `gone`: words that no line holds any more, other than as what was before. Before there were rules for
 * change, 20 of 29 and 17 of 23 stood where they should, 2 of 20 and 8 of 17 were gone.
 */
export interface Change {
  readonly says: readonly string[]
  /** In one session, on one day. */
  readonly together?: true
  readonly holds?: readonly string[]
  readonly gone?: readonly string[]
}

export const changes: readonly Change[] = [
  {
    says: [
      'The staging db is at pg-staging.example:5433, user fleet_ro.',
      "heads up: staging db moved, it's now pg-stg2.example on the normal port 5432",
    ],
    holds: ['pg-stg2.example'],
    gone: ['pg-staging'],
  },
  {
    says: ['We build with west, Zephyr 3.7, board is nrf52840dk.', 'We build with Zephyr 4.0 now instead of 3.7.'],
    holds: ['Zephyr 4.0'],
    gone: ['west, Zephyr 3.7'],
  },
  {
    says: ['Toolchain lives in /opt/zephyr-sdk-0.16.8', 'We upgraded to Zephyr 4.0 last week, so the SDK is now /opt/zephyr-sdk-0.17.0'],
    holds: ['/opt/zephyr-sdk-0.17.0'],
    gone: ['0.16.8'],
  },
  { says: ['We build with Zephyr 3.7.', 'We upgraded to Zephyr 4.0.'], holds: ['4.0'], gone: ['3.7'] },
  {
    says: [
      'The watchdog timeout is 8 s and the sensor wakes up every 15 minutes.',
      'sensor wake interval is 10 minutes now, we have the budget',
    ],
    holds: ['10 minutes', 'watchdog timeout is 8 s'],
    gone: ['15 minutes'],
  },
  {
    says: ['The sensor wakes up every 15 minutes.', 'The sensor wakes up every 10 minutes now, not 15.'],
    holds: ['10 minutes'],
    gone: ['15 minutes'],
  },
  { says: ['The wake interval is 15 minutes.', 'wake interval is 10 minutes now'], holds: ['10 minutes'], gone: ['15 minutes'] },
  {
    says: ['I live in Lisbon so assume WET when I mention times', 'I moved to Porto last month, still WET.'],
    holds: ['Porto'],
    gone: ['Lisbon'],
  },
  { says: ['I live in Lisbon.', 'I now live in Porto.'], holds: ['Porto'], gone: ['Lisbon'] },
  {
    says: [
      'use tabs for indentation in this repo please',
      'actually scratch the tabs thing, rustfmt fights us. spaces everywhere, 4 of them',
    ],
    holds: ['paces everywhere'],
    gone: ['tabs'],
  },
  {
    says: ['use tabs in this repo please', 'actually scratch the tabs thing, spaces everywhere, 4 of them'],
    holds: ['paces everywhere'],
    gone: ['Use tabs'],
  },
  { says: ['Never push to main.', 'forget what I said about pushing to main'], gone: ['push'] },
  { says: ['Always answer in German.', 'Never push to main.', 'never mind the German thing'], holds: ['push to main'], gone: ['German'] },
  {
    says: ['Please always use vitest.', 'Never log e-mail addresses.', 'ignore my earlier note about vitest'],
    holds: ['e-mail'],
    gone: ['vitest'],
  },
  { says: ['Never commit to main.', 'scratch that'], together: true, gone: ['commit'] },
  { says: ["Let's go with Kafka for the events.", 'Never mind Kafka.'], gone: ['Kafka'] },
  { says: ['We use Jest for unit tests.', "We don't use Jest any more."], gone: ['We use Jest'] },
  { says: ['The API runs on port 8081.', 'The API moved to port 9443.'], holds: ['9443'], gone: ['8081'] },
  {
    says: ['The exports bucket is acme-old.', 'the exports bucket is no longer acme-old, it is acme-new'],
    holds: ['acme-new'],
    gone: ['is acme-old'],
  },
  { says: ['We use CircleCI for the builds.', 'We switched to GitHub Actions.'], holds: ['GitHub Actions'], gone: ['CircleCI'] },
  // What must not give way
  { says: ['The staging db is at pg-staging.example.', 'The production db is at pg-prod.example.'], holds: ['pg-staging', 'pg-prod'] },
  {
    says: ['Remember that postgres is owned by Alpha Smith.', 'Remember that kafka is owned by Charlie Smith.'],
    holds: ['Postgres is owned by Alpha Smith', 'Kafka is owned by Charlie Smith'],
  },
  {
    says: [1, 2, 3].map((number) => `We always deploy service${number} on Fridays with make ship${number}.`),
    holds: ['service1 on Fridays', 'service2 on Fridays', 'service3 on Fridays'],
  },
  { says: ['The watchdog timeout is 8 s.', 'The request timeout is 30 s now.'], holds: ['8 s', '30 s'] },
  { says: ['We build with Zephyr 3.7.', 'The simulator is now at version 4.0 of Renode.'], holds: ['3.7'] },
  { says: ['I live in Lisbon.', 'The servers moved to Porto.'], holds: ['Lisbon'] },
  { says: ['Never push to main.', 'never mind, it works'], holds: ['push to main'] },
  { says: ['Always use tabs in Makefiles.', 'Never push to main.', 'forget about the branch'], holds: ['Makefiles', 'push to main'] },
  { says: ['Never push to main.', 'can you ignore my earlier question?'], holds: ['push to main'] },
  { says: ['HB-4012 means the clock is off.', 'HB-4013 now means the battery is flat.'], holds: ['HB-4012', 'HB-4013'] },
]

/** In other words, and left alone until the rules for the first were done. */
export const changesToo: readonly Change[] = [
  {
    says: ['Our registry is registry-a.example.', 'The registry moved, it is now registry-b.example.'],
    holds: ['registry-b'],
    gone: ['registry-a'],
  },
  { says: ['The retry limit is 3.', 'retry limit is 5 now'], holds: ['5'], gone: ['is 3'] },
  { says: ['We are on Java 17.', 'We upgraded to Java 21.'], holds: ['21'], gone: ['17'] },
  { says: ["We're on Node 18.", "We're on Node 22 now."], holds: ['22'], gone: ['18'] },
  {
    says: ['The dashboard lives at grafana-1.example.', 'the dashboard has moved to grafana-2.example'],
    holds: ['grafana-2'],
    gone: ['grafana-1'],
  },
  { says: ['Backups run every 6 hours.', 'Backups run every 2 hours now.'], holds: ['2 hours'], gone: ['6 hours'] },
  { says: ['I work on the billing team.', 'I moved to the platform team.'], holds: ['platform'], gone: ['billing'] },
  { says: ["I'm based in Berlin.", 'I moved to Madrid in May.'], holds: ['Madrid'], gone: ['Berlin'] },
  { says: ['Always use double quotes in Python.', 'scratch the double quotes thing'], gone: ['double quotes'] },
  { says: ['Always write commit messages in German.', 'forget what I told you about commit messages'], gone: ['German'] },
  { says: ['Please always add a changelog entry.', 'never mind about the changelog, we generate it'], gone: ['Always add a changelog'] },
  { says: ['Use pnpm, not npm.', 'disregard what I said about pnpm'], gone: ['Use pnpm'] },
  { says: ['Our queue is RabbitMQ.', 'We switched to NATS for the queue.'], holds: ['NATS'], gone: ['RabbitMQ'] },
  { says: ['The default branch is master.', 'The default branch is main now, not master.'], holds: ['main now'], gone: ['is master.'] },
  { says: ['We use Sentry for errors.', "We don't use Sentry anymore."], gone: ['We use Sentry'] },
  {
    says: ['The owner of search is the platform team.', 'The owner of search is now the discovery team.'],
    holds: ['discovery'],
    gone: ['platform'],
  },
  { says: ['Our region is eu-west-1.', 'Our region is eu-central-1 now.'], holds: ['eu-central-1'], gone: ['eu-west-1'] },
  { says: ['We use Sentry for errors.', 'We switched to Datadog for metrics.'], holds: ['Sentry', 'Datadog'] },
  { says: ['Our region is eu-west-1.', 'The backup region is eu-central-1 now.'], holds: ['eu-west-1', 'eu-central-1'] },
  { says: ["We're on Node 18.", 'We upgraded to Postgres 17.'], holds: ['18', '17'] },
  { says: ['Backups run every 6 hours.', 'The cache is refreshed every 2 hours now.'], holds: ['6 hours', '2 hours'] },
  { says: ['Never use em dashes in docs.', 'forget it'], holds: ['em dashes'] },
  { says: ['Always run the tests before you push.', 'scratch the last commit'], holds: ['run the tests'] },
  { says: ['I live in Lisbon.', 'I moved the files to the archive folder.'], holds: ['Lisbon'] },
]
