/** For lines that whoever reaches the page could bring about without end: one of a kind in a while, and then how many more there were. */

export interface SeldomOptions {
  readonly log: (line: string) => void
  readonly now?: () => number
}

const WHILE_MS = 10 * 60_000
/** Kinds in a while: the words of an error may hold anything. */
const MOST_KINDS = 50

/** At most 50 kinds in ten minutes. Errors: those of `log`. */
export function newSeldomLog({ log, now = () => performance.now() }: SeldomOptions): (line: string) => void {
  const written = new Set<string>()
  let since = now()
  let more = 0
  return (line) => {
    if (now() - since >= WHILE_MS) {
      if (more > 0) log(`server: ${more} more of these came, and were not written`)
      written.clear()
      since = now()
      more = 0
    }
    if (written.has(line) || written.size >= MOST_KINDS) return void more++
    written.add(line)
    log(line)
  }
}
