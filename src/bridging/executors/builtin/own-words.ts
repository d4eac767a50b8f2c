/**
 * What of a message the user said: mail, chats and documents that were pasted into it are somebody else's words. Where it is in doubt
 * whether the pasted part has ended, it has not: a person who wants something kept says it again.
 */

const DOCUMENT =
  '(?:e-?mails?|mails?|letter|tickets?|issue|spec(?:ification)?|brief|messages?|chat|threads?|conversation|transcript|document|doc|article|post|page|' +
  'minutes|meeting notes|notes|requirements|review|comment|report|reply|answer|text|statement|slack|teams|jira|confluence|wiki)'
/** From such a line on, the rest of the message is somebody else's. */
const HERALDS: readonly RegExp[] = [
  /^(?:From|Subject|Betreff|Von): \S/,
  /^(?:To|Cc|Bcc|Sent|Date|Reply-To|An|Gesendet): .*\n(?:From|To|Cc|Bcc|Sent|Date|Subject|Reply-To): /,
  /^(?:On|Am) .{6,80}(?:wrote|schrieb.*):\s*$/,
  /^-{2,} ?(?:Original Message|Forwarded message|Begin forwarded message)/i,
  new RegExp(`\\b${DOCUMENT}\\b[^.!?:]{0,40}:\\s*$`, 'i'),
  new RegExp(
    `^(?:so |ok |and )?(?:here(?:'s| is| are)|this is|below is) (?:the|a|an|my|our|their|his|her) (?:[\\w-]+ ){0,3}?${DOCUMENT}\\b[^.!?:]{0,40}:\\s`,
    'i',
  ),
  new RegExp(`^(?:so |ok |and )?(?:i(?:'m| am|'ll|'ve| have) )?(?:just )?past(?:e|ing|ed)\\b.*\\b(?:${DOCUMENT}|below|here)\\b`, 'i'),
  /\b(?:wrote|writes|said|says|sent (?:me|us)|told (?:me|us)|asks|asked)(?: this)?:\s*$/i,
]
const SALUTATION =
  /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen)|sehr geehrte[rs]?|liebe[rs]?|olá|caro|cara|bonjour|hola)\b([^.!?:,]{0,40}),\s*$/i
/** "Hi Claude," is said to the agent, and so is a bare "Hi,". */
const TO_THE_AGENT = /^\s*(?:there|again|claude|codex|agent|assistant|gpt|bot)?\s*$/i
const CLOSING =
  /^(?:(?:best|kind|warm|many)? ?(?:regards|wishes|thanks)|best|cheers|sincerely(?: yours)?|yours(?: sincerely| truly)?|thanks(?: a lot)?|thank you|br|vg|mfg|(?:mit )?(?:freundlichen|viele|beste) grüßen?|atenciosamente|abraço)\b[,.!]?(?: [\p{L} .]{0,40})?$/iu
/** "ops: …", "[10:12] dev: …" */
const SPEAKER =
  /^\s*(?:\[?\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?\]?\s+)?<?@?([\p{L}][\w.-]*(?: [\p{L}][\w.-]*)?)>?\s?(?:\[?\d{1,2}:\d{2}(?: ?[AP]M)?\]?)?: \S/u

/** The message up to where somebody else's words begin, without a signature and without chats. */
export function ownWords(message: string): string {
  const lines = message.split('\n')
  const end = lines.findIndex((line, index) => isHerald(line, lines[index + 1]) || opensMail(line, index, lines))
  const own = end < 0 ? lines : lines.slice(0, end)
  return withoutSignature(own)
    .join('\n')
    .split(/\n\s*\n/)
    .filter((paragraph) => !isChat(paragraph))
    .join('\n\n')
}

/** "Conventions for commit messages:" opens the user's own list. */
const OWN_LIST = /\b(?:rules?|conventions?|guidelines?|preferences?|commit|pull request)\b/i

function isHerald(line: string, next = ''): boolean {
  if (OWN_LIST.test(line) && /:\s*$/.test(line)) return false
  return HERALDS.some((herald) => herald.test(line.trim()) || herald.test(`${line.trim()}\n${next.trim()}`))
}

/** A salutation to somebody else, or one that is closed like a letter. */
function opensMail(line: string, index: number, lines: readonly string[]): boolean {
  const to = SALUTATION.exec(line.trim())?.[1]
  if (to === undefined) return false
  const isFirst = lines.slice(0, index).every((before) => before.trim() === '')
  return !isFirst || !TO_THE_AGENT.test(to) || lines.slice(index + 2).some((after) => CLOSING.test(after.trim()))
}

function withoutSignature(lines: readonly string[]): readonly string[] {
  const dashes = lines.findIndex((line) => /^-- ?$/.test(line))
  return dashes < 0 ? lines : lines.slice(0, dashes)
}

/** Two or more who speak in turn. */
function isChat(paragraph: string): boolean {
  const speakers = paragraph.split('\n').flatMap((line) => SPEAKER.exec(line)?.[1]?.toLowerCase() ?? [])
  const times = paragraph.split('\n').filter((line) => /^\s*\[?\d{1,2}:\d{2}\b/.test(line)).length
  return (new Set(speakers).size >= 2 && new Set(speakers).size < speakers.length) || times >= 2
}
