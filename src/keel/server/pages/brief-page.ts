/** What was sent: all that went to the proposer for the last proposal, to whom and where, so that nobody has to guess what a model was told. */
import type { AppState, SentBrief } from '../app.ts'
import { type Html, html } from './html.ts'
import { document, time } from './layout.ts'
import { proposerName } from './names.ts'

export function briefPage(brief: SentBrief | undefined, state: AppState): string {
  const main = html`<div class="wide"><h1>What was sent</h1>${brief === undefined ? NOTHING : sent(brief, state)}</div>`
  return document({ title: 'What was sent – Keel', main, path: '/brief', state })
}

const NOTHING = html`<p class="hint">Nothing yet: since keeld started no proposal was asked for. Here you will find all that was sent for it, and where it went.</p>
<p><a class="button" href="/">Ask for a proposal</a></p>`

function sent(brief: SentBrief, state: AppState): Html {
  return html`<p class="hint">${whatBecame(brief, state)}</p>
${region('The brief', brief.text)}
${brief.prompts.map((prompt, index) => whole(prompt, index, brief.prompts.length))}`
}

function whatBecame({ at, to, destination, prompts }: SentBrief, { offscreen }: AppState): Html {
  const when = time(new Date(at), new Date())
  if (destination === undefined) {
    return html`The built-in rules chose the last proposal from this, at ${when}. <strong>Nothing was sent</strong>: it stayed within Keel.`
  }
  if (prompts.length === 0) {
    const isUnderWay = offscreen.busy === 'proposing'
    return html`<strong>Nothing was sent</strong>${isUnderWay ? ' yet' : ': it did not get that far'}. This was gathered at ${when}, for ${proposerName(to)}.`
  }
  return html`This went to ${addressee(to, destination)}, at ${when}${prompts.length > 1 && `, in ${prompts.length} questions`}, with instructions around it.`
}

function addressee(to: string, { kind, name }: NonNullable<SentBrief['destination']>): Html {
  if (kind === 'program')
    return html`<strong>${name}</strong>, a program of this machine, which hands it on over the network to its provider`
  return html`${to === 'openai' ? 'the model server' : proposerName(to)} at <strong>${name}</strong>, ${kind === 'here' ? 'on this machine' : 'over the network'}`
}

/** With the instructions, and with what was not wanted: long, and the same each time. */
function whole(prompt: string, index: number, count: number): Html {
  const name = count === 1 ? 'All that was sent' : `All that was sent in question ${index + 1}`
  return html`<details class="whole"><summary>${name}</summary>${region(name, prompt)}</details>`
}

/** A region that scrolls is reached by the keyboard. */
function region(name: string, text: string): Html {
  return html`<pre class="brief" tabindex="0" role="region" aria-label="${name}" dir="auto">${text}</pre>`
}
