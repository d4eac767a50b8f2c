/** memu-agent on the log of a host that has a program of its own: it would read it again under other ids, and less well. */
import { MemuError } from '../util/errors.ts'
import { printable } from '../util/printable.ts'
import type { VerbContext } from './verb.ts'

/**
 * Throws `wrong_host` (exit 2) where `directory`, which the user named, holds sessions that another host's program reads. The programs of
 * hosts know their own log (`hosts/wrong-host.ts`), and only the one for any agent has to ask.
 */
export async function refuseKnownLog(verb: string, directory: string | undefined, { io: { system }, spec }: VerbContext): Promise<void> {
  if (directory === undefined || spec.sessionDir(system) !== undefined) return
  const [{ readerOf }, { argument, within }] = await Promise.all([import('../detect/detect.ts'), import('../detect/places.ts')])
  const found = await readerOf(directory, system)
  if (found === undefined) return
  const { of, sessionDir } = found
  const own = of.sessionDir(system) ?? sessionDir
  const isOwn = own === sessionDir || within(sessionDir, own) !== undefined // Where its program looks by itself.
  const place = isOwn ? '' : ` --session-dir ${argument(sessionDir, system)}`
  throw new MemuError('wrong_host', `The sessions in ${printable(directory)} are logs of ${of.title}, which has a program of its own.`, {
    hint: `Did you mean ${of.binary} ${verb}${place}?`,
    exit: 2,
  })
}
