/** The pages, each a function from what the daemon knows to a whole document. */
import type { AppState, History, SettingView } from '../app.ts'
import { type Html, type HtmlValue, html } from './html.ts'

/** What went wrong, in a sentence, and what to do about it. */
export interface Notice {
  readonly message: string
  readonly hint?: string
  /** The setting that it is about. */
  readonly key?: string
}

/** What was sent to whom, and when. */
export interface SentBrief {
  readonly text: string
  /** ISO time. */
  readonly at: string
  readonly to: string
}

/** `error`: of a command that was sent without JavaScript and refused. */
export function mainPage(state: AppState, error?: Notice): string {
  const { offscreen, memory } = state
  const { proposal } = offscreen
  const main = html`${alert(error ?? offscreen.error)}
<p role="status">${offscreen.busy ?? offscreen.outcome ?? offscreen.status}</p>
${proposal && html`<article><h2>${proposal.nextAction}</h2><p>${proposal.rationale}</p></article>`}
${form('start', 'Start')}
${proposal && offscreen.status === 'proposed' && [form('confirm', 'Confirm', proposal.id), form('dismiss', 'Dismiss', proposal.id)]}
<p>Memory: ${memory.where}${memory.reason && ` (${memory.reason})`}</p>`
  return document('Keel', main, offscreen.busy === 'proposing' && html`<noscript><meta http-equiv="refresh" content="2"></noscript>`)
}

export function historyPage({ entries }: History, _state: AppState): string {
  return document('History', html`<ol>${entries.map((entry) => html`<li>${entry.nextAction}: ${entry.outcome}</li>`)}</ol>`)
}

/** `settings`: after a rejected change with the values that were typed, so that nothing is lost. */
export function settingsPage(settings: readonly SettingView[], _state: AppState, error?: Notice): string {
  const fields = settings.map(
    ({ key, label, value, locked }) =>
      html`<p><label>${label} <input name="${key}" value="${value}"${locked !== undefined && html` disabled`}></label> ${locked}</p>`,
  )
  return document('Settings', html`${alert(error)}<form method="post" action="/settings">${fields}<button>Save</button></form>`)
}

export function briefPage(brief: SentBrief | undefined, _state: AppState): string {
  return document(
    'What was sent',
    brief === undefined ? html`<p>Nothing yet.</p>` : html`<p>To ${brief.to}, ${brief.at}</p><pre>${brief.text}</pre>`,
  )
}

export function notFoundPage(): string {
  return errorPage({ message: 'There is no such page.' })
}

/** Instead of a page that could not be made. */
export function errorPage(error: Notice): string {
  return document('Keel', alert(error))
}

/** Where a token is asked for: only on a daemon that other machines reach. */
export function tokenPage(error?: Notice): string {
  return document(
    'Keel',
    html`${alert(error)}<form method="post" action="/token"><label>Token <input name="token" type="password" autocomplete="off"></label><button>Enter</button></form>`,
  )
}

function form(name: string, label: string, id?: string): Html {
  return html`<form method="post" action="/command"><input type="hidden" name="name" value="${name}">${
    id && html`<input type="hidden" name="proposal_id" value="${id}">`
  }<button>${label}</button></form>`
}

function alert(notice: Omit<Notice, 'key'> | undefined): Html {
  return notice === undefined ? html`` : html`<p role="alert">${notice.message} ${notice.hint}</p>`
}

function document(title: string, main: Html, head?: HtmlValue): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/assets/keel.css"><script type="module" src="/assets/keel.js"></script>${head}</head>
<body><nav><a href="/">Keel</a> <a href="/history">History</a> <a href="/settings">Settings</a> <a href="/brief">What was sent</a></nav>
<main><h1>${title}</h1>${main}</main></body></html>
`.html
}
