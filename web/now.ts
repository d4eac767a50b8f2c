/** The first page as the state changes. What it says is made where the server makes it too. */

import { problemWords } from '../src/keel/server/pages/notice.ts'
import { type NowView, nowView, type Part } from '../src/keel/server/pages/now-view.ts'
import { clockTime } from '../src/keel/server/pages/time.ts'
import { NO_ANSWER, type PageState, type Problem } from './api.ts'
import { fillForms, isInUse, openPanel } from './panels.ts'
import { setText } from './state.ts'

export interface Now {
  show(state: PageState): void
  /** What a command of this page was refused for; undefined takes it away, and so does what happens next. */
  setProblem(problem: Problem | undefined): void
  /** Nothing can be pressed until an answer is there; the focus stays where it is. */
  setWaiting(isWaiting: boolean): void
  focusHeading(): void
  /** A snooze has ended: the title says so until somebody looks. Returns what it is time for; undefined where nothing is proposed any more. */
  setDue(): string | undefined
  /** Milliseconds since the page warns that to confirm may do something twice; endless where it does not. */
  warnedFor(): number
}

/** Undefined on the other pages. */
export function newNow(page: Document): Now | undefined {
  const card = page.querySelector<HTMLElement>('[data-card]')
  const heading = page.querySelector<HTMLElement>('[data-card] h2')
  if (card === null || heading === null) return undefined
  let problem: Problem | undefined
  /** Which moment the problem is about. */
  let problemOf = ''
  let last: PageState | undefined
  let isDue = false
  let warnedAt: number | undefined

  function draw(): void {
    if (last === undefined) return
    const now = new Date()
    const view = nowView(last, now, { refused: problem, isDue })
    warnedAt = view.again === '' ? undefined : (warnedAt ?? performance.now())
    if (page.title !== view.title) page.title = view.title
    card!.dataset.phase = view.phase
    card!.dataset.tone = view.tone
    const hadFocus = card!.contains(page.activeElement)
    for (const part of page.querySelectorAll<HTMLElement>('[data-part]')) {
      // A panel that is open stays, with what was written into it.
      part.hidden = !view.parts.has(part.dataset.part as Part) && !isInUse(part)
    }
    for (const [name, text] of Object.entries(view.texts)) setText(page, `[data-text=${name}]`, text)
    fillForms(page, view)
    for (const line of page.querySelectorAll('[data-problem]')) {
      const isHere = problem !== undefined && openPanel(page)?.contains(line) === true
      line.textContent = isHere ? problemWords(problem) : ''
    }
    for (const element of page.querySelectorAll<HTMLTimeElement>('[data-time=made]')) {
      element.dateTime = view.madeAt?.toISOString() ?? ''
      setText(element.parentElement!, '[data-time=made]', view.madeAt === undefined ? '' : clockTime(view.madeAt, now))
    }
    // What had the focus is gone: whoever uses the keyboard starts from the proposal, not from the top of the page.
    if (hadFocus && !isVisible(page.activeElement)) heading!.focus()
  }

  function seen(): void {
    if (!isDue || !page.hasFocus()) return
    isDue = false
    draw()
  }

  page.addEventListener('toggle', draw, { capture: true })
  page.addEventListener('visibilitychange', seen)
  window.addEventListener('focus', seen)
  return {
    show(state) {
      last = state
      if (problem === NO_ANSWER || problemOf !== momentOf(nowView(state, new Date()))) problem = undefined
      draw()
    },
    setProblem(next) {
      problem = next
      if (last !== undefined) problemOf = momentOf(nowView(last, new Date()))
      draw()
    },
    setWaiting(isWaiting) {
      for (const button of page.querySelectorAll('[data-command] button')) {
        if (isWaiting) button.setAttribute('aria-disabled', 'true')
        else button.removeAttribute('aria-disabled')
      }
    },
    focusHeading: () => heading.focus(),
    setDue() {
      if (last === undefined) return undefined
      const { phase, action } = nowView(last, new Date())
      isDue = phase === 'proposed' && !page.hasFocus()
      draw()
      return phase === 'proposed' ? action : undefined
    },
    warnedFor: () => (warnedAt === undefined ? Number.POSITIVE_INFINITY : performance.now() - warnedAt),
  }
}

function momentOf({ phase, proposalId }: NowView): string {
  return `${phase} ${proposalId}`
}

function isVisible(element: Element | null): boolean {
  return element !== null && element.localName !== 'body' && element.getClientRects().length > 0
}
