/** What every page shows of the daemon: where events go, who proposes, where tasks are, and whether it is there at all. */
import { memoryWords } from '../src/keel/server/pages/memory-words.ts'
import { proposerName, tasksName } from '../src/keel/server/pages/names.ts'
import type { PageState } from './api.ts'

export function showServices(page: Document, { memory, ai, tasks }: PageState): void {
  const words = memoryWords(memory)
  setText(page, '[data-memory=short]', words.short)
  setText(page, '[data-memory=more]', words.more)
  setText(page, '[data-memory=why]', words.why)
  setText(page, '[data-memory=trouble]', words.trouble)
  for (const reason of page.querySelectorAll<HTMLElement>('[data-memory-why]')) reason.hidden = words.why === ''
  setText(page, '[data-of=ai]', proposerName(ai))
  setText(page, '[data-of=tasks]', tasksName(tasks))
  const dot = page.querySelector<HTMLElement>('[data-where]')
  if (dot !== null) dot.dataset.where = words.trouble === '' ? memory.where : 'none'
}

export function showLost(page: Document, isLost: boolean): void {
  setText(page, '[data-lost]', isLost ? 'keeld does not answer. This page comes back by itself when it does.' : '')
}

/** Only where it is another one: a region that is read aloud must not be read again. */
export function setText(page: ParentNode, selector: string, text: string): void {
  for (const element of page.querySelectorAll(selector)) if (element.textContent !== text) element.textContent = text
}
