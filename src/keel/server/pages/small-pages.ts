/** Pages for when there is nothing to show, or not to everybody. */
import { html } from './html.ts'
import { alert, document } from './layout.ts'
import type { Notice } from './notice.ts'

export function notFoundPage(): string {
  return document({
    title: 'Not found – Keel',
    main: html`<section class="card"><p class="kicker">Not found</p><h1>There is no such page.</h1><p class="back"><a class="button" href="/">Back to the proposal</a></p></section>`,
  })
}

/** Instead of a page that could not be made. */
export function errorPage(error: Notice): string {
  const main = html`<section class="card"><p class="kicker">Something went wrong</p><h1>${error.message}</h1>${
    error.hint !== undefined && html`<p class="rationale">${error.hint}</p>`
  }<p class="back"><a class="button" href="/">Back to the proposal</a></p></section>`
  return document({ title: 'Error – Keel', main })
}

/** Where a token is asked for. `next`: the path of the page that was asked for, to which it leads. */
export function tokenPage(error?: Notice, next = '/'): string {
  const isWrong = error !== undefined
  const main = html`<section class="card"><p class="kicker">Keel</p><h1>Keel asks for its token.</h1>
${alert(error)}
<form class="token" method="post" action="/token"><input type="hidden" name="next" value="${next}"><label for="token">Token</label><input id="token" name="token" type="password" autocomplete="current-password" required autofocus${
    isWrong && html` aria-invalid="true" aria-describedby="error"`
  }><div class="row"><button class="primary">Enter</button></div></form></section>`
  return document({ title: 'Token – Keel', main })
}
