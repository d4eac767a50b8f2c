/** Commands without loading the page anew: the same forms, sent as JSON. */
import { post } from './api.ts'
import type { Live } from './live.ts'
import type { Now } from './now.ts'
import { closePanels, settle } from './panels.ts'

/** After these the button that was pressed is gone, or another proposal is on its way. */
const MOVES_ON = ['start', 'another', 'cancel', 'confirm', 'dismiss', 'undo']
/** Milliseconds in which nobody reads a warning: a double click confirms what it was, and not what it has become meanwhile. */
const TOO_SOON_MS = 1_000

export function listenForCommands(page: Document, now: Now, live: Live): void {
  let isWaiting = false
  page.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const name = form.dataset.command
    if (name === undefined) return
    event.preventDefault()
    if (name === 'confirm' && now.warnedFor() < TOO_SOON_MS) return
    if (!isWaiting) void send(form, name, new FormData(form, event.submitter))
  })

  async function send(form: HTMLFormElement, name: string, fields: FormData): Promise<void> {
    isWaiting = true
    now.setWaiting(true)
    now.setProblem(undefined)
    const { problem } = await post('/api/command', bodyOf(name, fields))
    // With a refusal too: it may be about a proposal that is not on the table any more.
    await live.refresh()
    isWaiting = false
    now.setWaiting(false)
    if (problem === undefined) {
      settle(form)
      closePanels(page)
    }
    now.setProblem(problem)
    if (problem === undefined && MOVES_ON.includes(name)) now.focusHeading()
  }
}

function bodyOf(name: string, fields: FormData): unknown {
  const text = (field: string): string | undefined => {
    const value = fields.get(field)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const minutes = text('minutes')
  // What is undefined is left out of JSON.
  const args = {
    reason: text('reason'),
    text: text('text'),
    again: text('again') === 'true' || undefined,
    minutes: minutes === undefined ? undefined : Number(minutes),
  }
  return { name, proposal_id: text('proposal_id'), args }
}
