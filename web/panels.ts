/** Panels and what is written into them. A browser without popovers shows them all, below the card: nothing in it may name one then. */
import type { NowView } from '../src/keel/server/pages/now-view.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

const HAS_PANELS = CSS.supports('selector(:popover-open)')

export function openPanel(within: ParentNode): HTMLElement | null {
  return HAS_PANELS ? within.querySelector<HTMLElement>(':popover-open') : null
}

export function closePanels(page: Document): void {
  for (let panel = openPanel(page); panel !== null; panel = openPanel(page)) panel.hidePopover()
}

/** Ctrl+Enter, or ⌘+Enter, in a field of several lines: Enter alone is a line there. */
export function listenForSending(page: Document): void {
  page.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !(event.target instanceof HTMLTextAreaElement)) return
    event.preventDefault()
    event.target.form?.requestSubmit()
  })
}

/** Somebody is at work within: it must not go away. */
export function isInUse(within: ParentNode): boolean {
  return openPanel(within) !== null || (!HAS_PANELS && [...within.querySelectorAll('form')].some(isTyped))
}

/**
 * Puts what is on the table into the forms. What somebody wrote stays with the proposal that it is about: while its panel is open whatever
 * happens (the daemon says so where that proposal is gone), and closed until another proposal comes.
 */
export function fillForms(page: Document, { proposalId, action, again }: NowView): void {
  const values: Readonly<Record<string, string>> = { proposalId, action, again }
  for (const form of page.querySelectorAll<HTMLFormElement>('[data-command]')) {
    const id = form.querySelector<HTMLInputElement>('[data-value=proposalId]')
    const isAnother = id !== null && id.value !== proposalId
    const isOpen = HAS_PANELS && form.closest(':popover-open') !== null
    if (isOpen || (isTyped(form) && (!HAS_PANELS || !isAnother))) continue
    for (const field of fieldsOf(form)) set(field, values[field.dataset.value!] ?? '')
  }
}

/** What was written has arrived. */
export function settle(form: HTMLFormElement): void {
  for (const field of fieldsOf(form)) set(field, field.value)
}

function isTyped(form: HTMLFormElement): boolean {
  return fieldsOf(form).some((field) => field.value !== (field.dataset.was ?? field.defaultValue))
}

function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.querySelectorAll<Field>('[data-value]')]
}

function set(field: Field, value: string): void {
  field.value = value
  field.dataset.was = field.value
}
