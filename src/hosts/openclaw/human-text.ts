/** What a person wrote, out of a message to which OpenClaw adds where it came from and when. */

/** Newer versions mark each heading of theirs; older ones say in it that nobody vouches for what follows. */
const MARK = '⟦openclaw:ctx⟧'
const HEADING = new RegExp(`^[^\\n]*(?:${MARK}|\\(untrusted(?: metadata|, for context|, chronological[^\\n)]*)?\\):)[ \\t]*\\n`)
/** `[Tue 2026-09-01 10:00 GMT+2] ` */
const STAMP = /^\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d[^\]\n]*\] */
/** `[cron:<job> <name>] `: what follows is the instruction that somebody wrote for the job. */
const JOB = /^\[cron:[^\]\n]+\]\s*/
/** Lines of the program's own before the message: events that came in meanwhile, and how the answer is delivered. */
const LINE = /^(?:System(?: \(untrusted\))?: \[[^\]\n]+\]|Delivery: [^\n]*`message` tool)[^\n]*(?:\n|$)/
const CONTEXT = /<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>[\s\S]*?<<<END_OPENCLAW_INTERNAL_CONTEXT>>>/g
/** The rest of the message is what else was said in the channel. */
const CHANNEL = `\nContext: ${MARK}`

/** Only what is complete is taken away, and only where the program puts it. May be empty. */
export function humanText(text: string): string {
  let rest = text.trim()
  if (rest.includes('<<<BEGIN_')) rest = rest.replace(CONTEXT, '').trim()
  const channel = rest.indexOf(CHANNEL)
  if (channel >= 0) rest = rest.slice(0, channel).trim()
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = withoutHeading(rest).replace(STAMP, '').replace(JOB, '').replace(LINE, '').trim()
  }
  return rest
}

/** A heading and what stands under it: fenced JSON, or lines up to an empty one. */
function withoutHeading(text: string): string {
  const heading = HEADING.exec(text)?.[0]
  if (heading === undefined) return text
  const body = text.slice(heading.length)
  if (!body.startsWith('```')) return body.includes('\n\n') ? body.slice(body.indexOf('\n\n')) : text
  const end = body.indexOf('\n```', 3)
  return end < 0 ? text : body.slice(end + 4)
}
