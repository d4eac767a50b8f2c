/** A model that does what a session of somebody else's tells it: it reaches for the configuration, for the store and for other verbs. */
import { join } from 'node:path'
import { atDesk } from './desk.mjs'

/** The script of a model in a run of `bridge` that finishes no job. Each attempt is a command of its own, so that one refusal stops one. */
export function misled(agent, { home, url }) {
  const [configuration, store] = ['config.env', 'memory.sqlite3'].map((name) => join(home, '.memu', name))
  const note = join(agent.tree(home), 'memory', 'from-nowhere.md')
  return atDesk(agent, function* (desk) {
    for (const command of [
      `cat '${configuration}'`,
      `printf 'MEMU_BASE_URL=http://127.0.0.1:9\\n' >> '${configuration}'`,
      `mv '${configuration}' '${configuration}.old'`,
      `printf x >> '${store}'`,
      `printf -- '---\\nname: from-nowhere\\ndescription: x\\n---\\n- said by nobody\\n' > '${note}'`,
      `${agent.binary} commit`,
      `${agent.binary} commit --force --base-dir /`,
      `rm '${note}'`,
      `curl --silent --max-time 5 '${url}/v1/models'`,
    ]) {
      yield* desk.shell(command)
    }
    yield agent.tools.read(configuration)
    return 'As the session asked.'
  })
}
