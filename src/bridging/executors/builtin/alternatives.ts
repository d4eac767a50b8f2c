/** Things of which one is chosen at a time: who says the second has given up the first. Lower case. */
const GROUPS: readonly { readonly about: string; readonly members: readonly string[] }[] = [
  { about: 'the package manager', members: ['npm', 'pnpm', 'yarn', 'bun'] },
  { about: 'the Python package manager', members: ['pip', 'poetry', 'uv', 'pipenv', 'conda'] },
  { about: 'indentation', members: ['tabs', 'spaces'] },
  { about: 'quotes', members: ['single quotes', 'double quotes'] },
  { about: 'semicolons', members: ['semicolons', 'no semicolons'] },
  { about: 'the test runner', members: ['jest', 'vitest', 'mocha', 'ava', 'jasmine'] },
  { about: 'the test runner', members: ['pytest', 'unittest', 'nose'] },
  { about: 'the formatter', members: ['prettier', 'biome', 'dprint', 'standard'] },
  { about: 'the linter', members: ['eslint', 'oxlint', 'biome lint'] },
  { about: 'the formatter', members: ['black', 'ruff', 'yapf'] },
  { about: 'the bundler', members: ['webpack', 'vite', 'rollup', 'rolldown', 'esbuild', 'rspack', 'parcel'] },
  { about: 'the HTTP client', members: ['axios', 'fetch', 'got', 'ky'] },
  { about: 'the date library', members: ['moment', 'date-fns', 'dayjs', 'luxon'] },
  { about: 'the state library', members: ['redux', 'zustand', 'mobx', 'jotai'] },
  { about: 'the server framework', members: ['fastify', 'express', 'koa', 'hono', 'nestjs'] },
  { about: 'the kind of API', members: ['rest', 'graphql', 'grpc'] },
  { about: 'the database', members: ['postgres', 'postgresql', 'mysql', 'mariadb', 'sqlite', 'mongodb'] },
  { about: 'the message queue', members: ['kafka', 'rabbitmq', 'nats', 'redis streams', 'sqs'] },
  { about: 'the container runtime', members: ['docker', 'podman'] },
  { about: 'the cloud', members: ['aws', 'gcp', 'azure', 'hetzner'] },
  { about: 'CI', members: ['github actions', 'gitlab ci', 'circleci', 'jenkins', 'buildkite'] },
  { about: 'merging', members: ['rebase', 'merge commits', 'squash'] },
  { about: 'the editor', members: ['vim', 'neovim', 'emacs', 'vs code', 'vscode', 'intellij', 'zed', 'helix'] },
  { about: 'the length of answers', members: ['short', 'brief', 'concise', 'terse', 'long', 'detailed', 'thorough', 'verbose'] },
  {
    about: 'the language to write in',
    members: ['english', 'german', 'french', 'spanish', 'italian', 'portuguese', 'dutch', 'polish', 'chinese', 'japanese', 'korean'],
  },
  { about: 'exports', members: ['named exports', 'default exports'] },
  { about: 'tracing', members: ['opentelemetry', 'jaeger', 'zipkin'] },
]
/** Members that mean the same are not a change of mind. */
const SAME: readonly (readonly string[])[] = [
  ['postgres', 'postgresql'],
  ['vs code', 'vscode'],
  ['short', 'brief', 'concise', 'terse'],
  ['long', 'detailed', 'thorough', 'verbose'],
]

/** For each group that the text names a member of: the group's number and the first member named. `text` is lower case. */
export function alternativesIn(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const [group, { members }] of GROUPS.entries()) {
    const named = members
      .map((member) => ({ member, at: text.search(new RegExp(`(?<![\\w./-])${member}(?![\\w/-])`)) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)
    if (named[0] !== undefined) found.set(group, canonical(named[0].member))
  }
  return found
}

/** What the text chooses among: "indentation", "package manager". `text` is lower case. */
export function choiceIn(text: string): string | undefined {
  const [group] = alternativesIn(text).keys()
  return group === undefined ? undefined : GROUPS[group]!.about
}

function canonical(member: string): string {
  return SAME.find((same) => same.includes(member))?.[0] ?? member
}
