/** Reads the parts of a brief that rules can use. A part that is missing, or written otherwise, is simply not there. Pure. */

export interface BriefTask {
  readonly title: string
  /** `YYYY-MM-DD` */
  readonly due?: string
}

export interface RecentAction {
  readonly action: string
  readonly outcome: 'confirmed' | 'dismissed' | 'put aside' | 'unactioned'
}

export interface BriefParts {
  readonly tasks: readonly BriefTask[]
  /** Newest first. */
  readonly recent: readonly RecentAction[]
  /** Goals, and what else is known of the person: text in which words are looked for. */
  readonly goals: string
  /** Minutes at the screen today. */
  readonly screenMinutes: number
}

/** Characters of one line of a list that are read. */
const ITEM_LIMIT = 500

/** The sections are told apart by a word of their `## ` headings. */
export function readBrief(brief: string): BriefParts {
  const sections = brief.split(/^## +/m).slice(1)
  const section = (heading: RegExp): string =>
    sections
      .filter((text) => heading.test(firstLine(text)))
      .map((text) => text.slice(firstLine(text).length))
      .join('\n')
  return {
    tasks: items(section(/task/i)).map(task),
    recent: items(section(/recent/i)).flatMap(recentAction),
    goals: section(/goal|know/i),
    screenMinutes: minutes(section(/screen/i)),
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

function items(text: string): string[] {
  return [...text.matchAll(/^[-*] +(.+)$/gm)].map((match) => match[1]!.slice(0, ITEM_LIMIT).trim()).filter((item) => item !== '')
}

/** `title (due 2026-06-05, project Home)` */
function task(item: string): BriefTask {
  const details = /\s*[([](?=[^()[\]]*(?:due|overdue|scheduled|project)\b)[^()[\]]*[)\]]\s*$/i.exec(item)
  const title = (details === null ? item : item.slice(0, details.index)).replace(/^"(.*)"$/, '$1').trim()
  const due = /\bdue:?\s*(\d{4}-\d{2}-\d{2})/i.exec(item)?.[1]
  return due === undefined ? { title } : { title, due }
}

/** `"walk" (confirmed, 2h ago)` */
function recentAction(item: string): RecentAction[] {
  const match = /^("(?:[^"\\]|\\.)*")\s*\((confirmed|dismissed|put aside|unactioned)\b/.exec(item)
  if (match === null) return []
  return [{ action: unquoted(match[1]!), outcome: match[2] as RecentAction['outcome'] }]
}

function unquoted(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted.slice(1, -1) // An escape that JSON does not know; close enough to compare with.
  }
}

/** The first time that is named: the section begins with the total. */
function minutes(text: string): number {
  const match = /\b(\d{1,2}) ?h(?:ours?)?(?![a-z])(?: ?(\d{1,2}) ?m)?|\b(\d{1,4}) ?m(?:in(?:utes?)?)?\b/i.exec(text)
  return match === null ? 0 : Number(match[1] ?? 0) * 60 + Number(match[2] ?? match[3] ?? 0)
}
