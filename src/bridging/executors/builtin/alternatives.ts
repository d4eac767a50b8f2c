/** Things of which one is chosen at a time: who says the second has given up the first. Lower case. */
const GROUPS: readonly (readonly string[])[] = [
  ['npm', 'pnpm', 'yarn', 'bun'],
  ['pip', 'poetry', 'uv', 'pipenv', 'conda'],
  ['tabs', 'spaces'],
  ['single quotes', 'double quotes'],
  ['semicolons', 'no semicolons'],
  ['jest', 'vitest', 'mocha', 'ava', 'jasmine'],
  ['pytest', 'unittest', 'nose'],
  ['prettier', 'biome', 'dprint', 'standard'],
  ['eslint', 'oxlint', 'biome lint'],
  ['black', 'ruff', 'yapf'],
  ['webpack', 'vite', 'rollup', 'rolldown', 'esbuild', 'rspack', 'parcel'],
  ['axios', 'fetch', 'got', 'ky'],
  ['moment', 'date-fns', 'dayjs', 'luxon'],
  ['redux', 'zustand', 'mobx', 'jotai'],
  ['fastify', 'express', 'koa', 'hono', 'nestjs'],
  ['rest', 'graphql', 'grpc'],
  ['postgres', 'postgresql', 'mysql', 'mariadb', 'sqlite', 'mongodb'],
  ['kafka', 'rabbitmq', 'nats', 'redis streams', 'sqs'],
  ['docker', 'podman'],
  ['aws', 'gcp', 'azure', 'hetzner'],
  ['github actions', 'gitlab ci', 'circleci', 'jenkins', 'buildkite'],
  ['rebase', 'merge commits', 'squash'],
  ['vim', 'neovim', 'emacs', 'vs code', 'vscode', 'intellij', 'zed', 'helix'],
  ['short', 'brief', 'concise', 'terse', 'long', 'detailed', 'thorough', 'verbose'],
  ['english', 'german', 'french', 'spanish', 'italian', 'portuguese', 'dutch', 'polish', 'chinese', 'japanese', 'korean'],
  ['named exports', 'default exports'],
  ['opentelemetry', 'jaeger', 'zipkin'],
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
  for (const [group, members] of GROUPS.entries()) {
    const named = members
      .map((member) => ({ member, at: text.search(new RegExp(`(?<![\\w./-])${member}(?![\\w/-])`)) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)
    if (named[0] !== undefined) found.set(group, canonical(named[0].member))
  }
  return found
}

function canonical(member: string): string {
  return SAME.find((same) => same.includes(member))?.[0] ?? member
}
