/** Single keys for the buttons of the first page. They can be turned off, for those whose keys or voice say more than they mean. */
import { openPanel } from './panels.ts'

const STORED = 'keel.shortcuts'

export function listenForKeys(page: Document, storage: Storage): void {
  const box = page.querySelector<HTMLDetailsElement>('[data-options]')
  const toggle = page.querySelector<HTMLInputElement>('[data-shortcuts-on]')
  if (box === null || toggle === null) return
  toggle.checked = storage.getItem(STORED) !== 'off'
  box.hidden = false
  tell()
  toggle.addEventListener('change', () => {
    storage.setItem(STORED, toggle.checked ? 'on' : 'off')
    tell()
  })
  page.addEventListener('keydown', (event) => {
    if (!toggle.checked || event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return
    if (isTyping(event.target) || openPanel(page) !== null) return
    if (event.key === '?') box.open = !box.open
    const button = [...buttons()].find(({ dataset }) => dataset.key === event.key.toLowerCase())
    if (button === undefined || button.getClientRects().length === 0) return
    event.preventDefault()
    button.click()
  })

  function buttons(): NodeListOf<HTMLElement> {
    return page.querySelectorAll<HTMLElement>('[data-key]')
  }

  /** A screen reader names the key together with the button. */
  function tell(): void {
    for (const button of buttons()) {
      if (toggle!.checked) button.setAttribute('aria-keyshortcuts', button.dataset.key!)
      else button.removeAttribute('aria-keyshortcuts')
    }
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]')
}
