/** The first page as the state changes. What it says is made where the server makes it too. */
import { nowView, type Part } from '../src/keel/server/pages/now-view.ts'
import { clockTime } from '../src/keel/server/pages/time.ts'
import type { PageState, Problem } from './api.ts'
import { setText } from './state.ts'

export interface Now {
  show(state: PageState): void
  /** What a command of this page was refused for; undefined takes it away. */
  setProblem(problem: Problem | undefined): void
  /** Nothing can be pressed until an answer is there; the focus stays where it is. */
  setWaiting(isWaiting: boolean): void
  focusHeading(): void
}

/** Undefined on the other pages. */
export function newNow(page: Document): Now | undefined {
  const card = page.querySelector<HTMLElement>('[data-card]')
  const heading = page.querySelector<HTMLElement>('[data-card] h2')
  if (card === null || heading === null) return undefined
  let problem: Problem | undefined
  let last: PageState | undefined

  function show(state: PageState): void {
    last = state
    const now = new Date()
    const view = nowView(state, now)
    const texts = problem === undefined ? view.texts : { ...view.texts, error: problem.message, hint: problem.hint ?? '' }
    if (page.title !== view.title) page.title = view.title
    card!.dataset.phase = view.phase
    card!.ariaBusy = String(view.isBusy)
    const hadFocus = card!.contains(page.activeElement)
    for (const part of page.querySelectorAll<HTMLElement>('[data-part]')) {
      const name = part.dataset.part as Part
      // A panel that is open stays, with what was written into it.
      part.hidden = !(view.parts.has(name) || (name === 'error' && problem !== undefined) || part.querySelector(':popover-open') !== null)
    }
    for (const [name, text] of Object.entries(texts)) setText(page, `[data-text=${name}]`, text)
    for (const field of page.querySelectorAll<HTMLInputElement>('[data-value]')) {
      // An open panel stays about the proposal for which it was opened; the daemon says so where that is gone.
      if (field.closest(':popover-open') === null) field.value = field.dataset.value === 'action' ? view.action : view.proposalId
    }
    for (const element of page.querySelectorAll<HTMLTimeElement>('[data-time=made]')) {
      element.dateTime = view.madeAt?.toISOString() ?? ''
      setText(element.parentElement!, '[data-time=made]', view.madeAt === undefined ? '' : clockTime(view.madeAt, now))
    }
    // What had the focus is gone: whoever uses the keyboard starts from the proposal, not from the top of the page.
    if (hadFocus && !isVisible(page.activeElement)) heading!.focus()
  }

  page.addEventListener('toggle', () => last !== undefined && show(last), { capture: true })
  return {
    show,
    setProblem(next) {
      problem = next
      if (last !== undefined) show(last)
    },
    setWaiting(isWaiting) {
      for (const button of page.querySelectorAll('[data-command] button')) {
        button.ariaDisabled = isWaiting ? 'true' : null
      }
    },
    focusHeading: () => heading.focus(),
  }
}

export function closePanels(page: Document): void {
  for (const panel of page.querySelectorAll<HTMLElement>(':popover-open')) panel.hidePopover()
}

function isVisible(element: Element | null): boolean {
  return element !== null && element.localName !== 'body' && element.getClientRects().length > 0
}
