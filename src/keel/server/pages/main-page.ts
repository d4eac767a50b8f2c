/**
 * The first page: one proposal, and what can be done with it. Every element is there in every state, and hidden where it is not meant:
 * so the script in the browser only sets texts, and a screen reader hears the changes.
 */
import type { AppState } from '../app.ts'
import { type Html, html } from './html.ts'
import { alert, document, time } from './layout.ts'
import type { Notice } from './notice.ts'
import { type NowView, nowView, type Part } from './now-view.ts'

/** Minutes, and how they are called. */
const SNOOZES = [
  [10, '10 minutes'],
  [30, 'Half an hour'],
  [60, 'An hour'],
  [180, 'Three hours'],
] as const

/** Of the proposal's own text; the command checks it. */
const ACTION_LENGTH = 200
const REASON_LENGTH = 200

/** `error`: of a command that was sent without JavaScript and refused. */
export function mainPage(state: AppState, error?: Notice): string {
  const now = new Date()
  const view = nowView(state, now, { refused: error })
  const { texts, parts } = view
  const isShown = (part: Part): Html => when(part, parts.has(part))
  const main = html`<h1 class="unseen">Now</h1>
<section class="card" aria-labelledby="heading" data-card data-phase="${view.phase}" data-tone="${view.tone}">
<p class="kicker" role="status" aria-atomic="true"><span data-text="kicker">${texts.kicker}</span><span class="unseen">: <span data-text="announced" dir="auto">${texts.announced}</span></span></p>
<h2 id="heading" tabindex="-1" dir="auto" data-text="heading">${texts.heading}</h2>
<p class="rationale" dir="auto" data-text="rationale"${isShown('rationale')}>${texts.rationale}</p>
<p class="repeats" data-text="repeats"${isShown('repeats')}>${texts.repeats}</p>
${alert(error ?? state.offscreen.error)}
<div class="row main">
${form('start', html`<button class="primary" data-key="p"><span data-text="start">${texts.start}</span></button>`, isShown('start'))}
${form(
  'confirm',
  html`${id(view)}${hidden('text', 'action', view.action)}${hidden('again', 'again', view.again)}<button class="primary" data-key="c" aria-describedby="adds"><span data-text="confirm">${texts.confirm}</span></button>`,
  isShown('decide'),
)}
${form('dismiss', html`${id(view)}<button class="primary other" data-key="d">Dismiss</button>`, isShown('decide'))}
${form('undo', html`${id(view)}<button class="quiet" data-key="u">Undo</button>`, isShown('undo'))}
${form('cancel', html`<button>Cancel</button>`, isShown('cancel'))}
<a class="button quiet" href="/settings"${isShown('settings')}>Settings</a>
</div>
${form(
  'dismiss',
  html`${id(view)}<label for="reason" data-key="w">Why not this one? <small>Keel will remember it.</small></label><div class="row"><input id="reason" name="reason" maxlength="${REASON_LENGTH}" autocomplete="off" required dir="auto" data-value="reason"><button>Keep</button></div>`,
  html` class="because"${isShown('why')}`,
)}
<div class="row more"${isShown('decide')}>
${form('another', html`${id(view)}<button class="quiet" data-key="a">Another</button>`)}
<button class="quiet" type="button" popovertarget="snooze" data-key="s">Snooze</button>
<button class="quiet" type="button" popovertarget="edit" data-key="e">Edit</button>
</div>
${panels(view, isShown('decide'))}
<p class="made"${isShown('foot')}><span id="adds" data-text="adds">${texts.adds}</span> <span><span${isShown('by')}><span data-text="by">${texts.by}</span>, </span>${view.madeAt ? time(view.madeAt, now, 'made') : html`<time data-time="made"></time>`}</span></p>
</section>
${IN_THIS_BROWSER}`
  const reload = view.phase === 'proposing' && html`<noscript><meta http-equiv="refresh" content="2"></noscript>`
  return document({ title: view.title, main, path: '/', state, head: reload })
}

/** Beside what was typed, for the eye alone: the alert of the page, which a panel may hide, is what is read aloud. */
const PROBLEM = html`<p class="wrong" aria-hidden="true" data-problem></p>`

/** They open above the page and close with Escape, without a script; a browser that knows no popovers shows them below the buttons. */
function panels(view: NowView, hidden: Html): Html {
  return html`<div class="panels"${hidden}>
<div class="panel" id="snooze" popover role="dialog" aria-labelledby="snooze-title"><h3 id="snooze-title">Snooze for</h3>
${form('snooze', html`${id(view)}<div class="row">${SNOOZES.map(([minutes, label], index) => html`<button${index === 0 && html` autofocus`} name="minutes" value="${minutes}">${label}</button>`)}</div>${PROBLEM}`)}</div>
<div class="panel" id="edit" popover role="dialog" aria-labelledby="edit-title"><h3 id="edit-title">In your own words</h3>
${form(
  'edit',
  html`${id(view)}<label for="edit-text">What you will do</label><textarea id="edit-text" autofocus name="text" rows="3" maxlength="${ACTION_LENGTH}" required dir="auto" data-value="action">${view.action}</textarea>${PROBLEM}<div class="row"><button class="primary">Save</button></div>`,
)}</div>
</div>`
}

/** What only a script can do, and each browser for itself: without one nothing is said of it. */
const IN_THIS_BROWSER = html`<details class="options" data-options hidden><summary>In this browser</summary>
<label class="switch" data-notices hidden><input type="checkbox" data-notices-on> Tell me when a snooze ends</label><p class="wrong" role="status" data-notices-problem></p>
<div class="keys"><label class="switch"><input type="checkbox" data-shortcuts-on> Single keys do something on this page</label>
<dl><div><dt><kbd>P</kbd></dt><dd>Propose, or wake</dd></div><div><dt><kbd>C</kbd></dt><dd>Confirm</dd></div><div><dt><kbd>D</kbd></dt><dd>Dismiss</dd></div><div><dt><kbd>U</kbd></dt><dd>Undo that</dd></div><div><dt><kbd>W</kbd></dt><dd>Say why</dd></div>
<div><dt><kbd>A</kbd></dt><dd>Another</dd></div><div><dt><kbd>S</kbd></dt><dd>Snooze</dd></div><div><dt><kbd>E</kbd></dt><dd>Edit</dd></div><div><dt><kbd>?</kbd></dt><dd>These keys</dd></div></dl></div></details>`

/** `autocomplete`: a browser that loads the page again must not put the id of before into it. */
function form(name: string, content: Html, hidden?: Html): Html {
  return html`<form method="post" action="/command" autocomplete="off" data-command="${name}"${hidden}><input type="hidden" name="name" value="${name}">${content}</form>`
}

function id(view: NowView): Html {
  return hidden('proposal_id', 'proposalId', view.proposalId)
}

/** What the command is about, as the page shows it: `of` names what the script puts there. */
function hidden(name: string, of: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" data-value="${of}">`
}

function when(part: Part, isThere: boolean): Html {
  return html` data-part="${part}"${!isThere && html` hidden`}`
}
