/** A survey for a tired person: of each agent one line that says what works, one that says why, and the command to copy. */
import { plural } from '../util/plural.ts'
import { printable } from '../util/printable.ts'
import type { Survey } from './detect.ts'
import { shown } from './places.ts'
import type { Seam, Verdict } from './verdict.ts'

const [GREEN, YELLOW, DIM] = [32, 33, 2]

export function formatSurvey({ place, agents, complete }: Survey, home: string, colour: boolean): string {
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const width = Math.max(5, ...agents.map(({ title }) => printable(title).length))
  const indent = ' '.repeat(width + 2)
  const answer = ({ works }: Seam, length: number): string => paint(works ? GREEN : YELLOW, (works ? 'yes' : 'no').padEnd(length))
  const lines = agents.flatMap((agent) => [
    `${printable(agent.title).padEnd(width)}  ${answer(agent.memorization, 14)}${answer(agent.retrieval, 11)}${printable(shown(agent.folder, home))}`,
    `${indent}${paint(DIM, why(agent))}`,
    ...agent.next.map((command) => `${indent}→ ${printable(command)}`),
    '',
  ])
  const head = [`${'Agent'.padEnd(width)}  Memorization  Retrieval  Folder`, '']
  const where = printable(shown(place, home))
  const works = agents.filter(({ memorization, retrieval }) => memorization.works || retrieval.works).length
  const closing = [
    agents.length === 0
      ? `No agent was found in ${where}. For one that lies elsewhere: memu-agent detect <folder>`
      : works === 0
        ? `Nothing in ${where} that memU works with.`
        : `${plural(agents.length, 'agent')} in ${where}.`,
    ...(works < agents.length ? ['A log that memU does not read yet can be taught to it: docs/adding-a-host.md'] : []),
    ...(complete ? [] : ['There was more than a survey looks at: memu-agent detect <folder> looks at one agent.']),
  ]
  return `${[...(agents.length === 0 ? [] : [...head, ...lines]), ...closing].join('\n')}\n`
}

function why({ memorization, retrieval }: Verdict): string {
  return printable(`${memorization.why}; ${retrieval.why}`)
}
