/** What all pages have in common: the document, the way from one to the other, and where events go. */
import type { AppState } from '../app.ts'
import { type Html, type HtmlValue, html } from './html.ts'
import { memoryWords } from './memory-words.ts'
import { proposerName, tasksName } from './names.ts'
import { alertWords, type Notice } from './notice.ts'
import { clockTime } from './time.ts'

/** In the order of the navigation. A further page is a further line. */
const PAGES = [
  { path: '/', label: 'Now' },
  { path: '/history', label: 'History' },
  { path: '/brief', label: 'What was sent' },
  { path: '/settings', label: 'Settings' },
] as const

export type PagePath = (typeof PAGES)[number]['path']

export interface Page {
  /** Of the browser's tab, complete. */
  readonly title: string
  readonly main: Html
  /** Which of the navigation it is. */
  readonly path?: PagePath
  /** Missing on a page that was made without asking the daemon. */
  readonly state?: AppState
  readonly head?: HtmlValue
}

export function document({ title, main, path, state, head }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f5f3ee" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#12191c" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/keel.css">
<script type="module" src="/assets/keel.js"></script>
${head}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="name" href="/">${MARK}<span>Keel</span></a>
${state?.demo && html`<span class="demo">Demo</span>`}
<nav aria-label="Pages"><ul>${PAGES.map((page) => link(page, path))}</ul></nav>
</header>
<p class="lost" role="alert" data-lost></p>
<main id="main" tabindex="-1">${main}</main>
${state && footer(state)}
</body>
</html>
`.html
}

/** A notice that is empty is there all the same: what changes in place is read aloud, what is put in anew is not everywhere. */
export function alert(notice: Omit<Notice, 'key'> | undefined): Html {
  const { error, full, hint } = alertWords(notice)
  return html`<div class="alert" role="alert" id="error"${notice === undefined && html` hidden`} data-part="error">${CAREFUL}<div><p><strong data-text="error">${error}</strong> <span data-text="hint">${hint}</span></p>
<details data-part="full"${full === '' && html` hidden`}><summary>In full</summary><p data-text="full">${full}</p></details></div></div>`
}

export function time(at: Date, now: Date, name?: string): Html {
  return html`<time datetime="${at.toISOString()}"${name !== undefined && html` data-time="${name}"`}>${clockTime(at, now)}</time>`
}

function link({ path, label }: (typeof PAGES)[number], current: PagePath | undefined): Html {
  return html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${label}</a></li>`
}

function footer({ memory, ai, tasks }: AppState): Html {
  const { short, trouble } = memoryWords(memory)
  return html`<footer class="state"><h2 class="unseen">State</h2><p class="trouble" role="status" data-memory="trouble">${trouble}</p><dl>
<div><dt>Memory</dt><dd><span class="dot" data-where="${trouble === '' ? memory.where : 'none'}"></span><span data-memory="short">${short}</span></dd></div>
<div><dt>Proposals</dt><dd data-of="ai">${proposerName(ai)}</dd></div>
<div><dt>Tasks</dt><dd data-of="tasks">${tasksName(tasks)}</dd></div>
</dl></footer>`
}

const CAREFUL = html`<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false"><path d="M12 3.5 22 20.5H2Z"></path><path class="stroke" d="M12 9.5v5M12 17v.6"></path></svg>`

const MARK = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path d="M3 13h18c-1 4.5-4.6 7-9 7s-8-2.5-9-7Z"></path><path d="M11.2 3v8.5H5.5Z"></path><path d="M12.8 5.5v6h4.7Z"></path></svg>`
