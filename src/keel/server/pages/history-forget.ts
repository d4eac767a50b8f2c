/** Forgetting, on the page of the history: it asks once, opens by keyboard, and needs no script. */
import type { HistoryEntry } from '../app.ts'
import { type Html, html } from './html.ts'
import { usesActivityWatch } from './memory-words.ts'
import type { ShownMemory } from './now-view.ts'

/** What a form of this page has to know of it. */
export interface ForgetContext {
  readonly memory: ShownMemory
  /** Of the history that is shown: it leads back there. */
  readonly days: number
}

export function forgetEntry({ id, nextAction, outcome }: HistoryEntry, { memory, days }: ForgetContext): Html {
  const task = outcome === 'confirmed' || outcome === 'unknown' ? ' Its task stays.' : ''
  const what = html`<span class="unseen"> “<span dir="auto">${nextAction}</span>”</span>`
  return html`<details class="forget"><summary>Forget${what}</summary>
<form method="post" action="/forget" autocomplete="off"><p>Forget this proposal? It goes ${places(memory)} for good.${task}</p>
<input type="hidden" name="proposal_id" value="${id}">${daysField(days)}<button>Forget it${what}</button></form></details>`
}

export function forgetEverything({ memory, days }: ForgetContext): Html {
  return html`<details class="forget all"><summary>Forget everything</summary>
<form method="post" action="/forget" autocomplete="off"><p>Forget every proposal, also those that are older than what is shown here? All of it goes ${places(memory)} for good. Tasks stay.</p>
<input type="hidden" name="all" value="true">${daysField(days)}<button>Forget everything</button></form></details>`
}

/** After it was done. */
export function forgottenWords(memory: ShownMemory): string {
  const isAway = memory.where !== 'activitywatch' && usesActivityWatch(memory)
  return isAway ? 'Forgotten. What ActivityWatch has of it goes as soon as it is back.' : 'Forgotten.'
}

function places(memory: ShownMemory): string {
  return usesActivityWatch(memory) ? 'from here and from ActivityWatch' : 'from here'
}

function daysField(days: number): Html {
  return html`<input type="hidden" name="days" value="${days}">`
}
