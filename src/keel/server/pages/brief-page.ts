/** What was sent: the exact brief of the last proposal, so that nobody has to guess what a model was told. */
import type { AppState } from '../app.ts'
import { html } from './html.ts'
import { document, time } from './layout.ts'

/** What was sent to whom, and when. */
export interface SentBrief {
  readonly text: string
  /** ISO time. */
  readonly at: string
  readonly to: string
}

export function briefPage(brief: SentBrief | undefined, state: AppState): string {
  const main = html`<div class="wide"><h1>What was sent</h1>${brief === undefined ? NOTHING : sent(brief)}</div>`
  return document({ title: 'What was sent – Keel', main, path: '/brief', state })
}

const NOTHING = html`<p class="hint">Nothing yet: since keeld started no proposal was asked for. Here you will find the exact text that was.</p>
<p><a class="button" href="/">Ask for a proposal</a></p>`

/** A region that scrolls is reached by the keyboard. */
function sent({ text, at, to }: SentBrief) {
  return html`<p class="hint">This is all that ${to === 'builtin' ? 'the built-in rules were' : html`<strong>${to}</strong> was`} told for the last proposal, at ${time(new Date(at), new Date())}. ${to === 'builtin' && 'It did not leave this machine.'}</p>
<pre class="brief" tabindex="0" role="region" aria-label="The brief" dir="auto">${text}</pre>`
}
