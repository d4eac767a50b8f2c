/** Notices of the desktop, for who wants them in this browser. */
const STORED = 'keel.notices'

export interface Notices {
  /** Nothing where they are off. */
  tell(action: string): void
}

export function newNotices(page: Document, storage: Storage): Notices {
  const toggle = page.querySelector<HTMLInputElement>('[data-notices-on]')
  const field = page.querySelector<HTMLElement>('[data-notices]')
  const problem = page.querySelector<HTMLElement>('[data-notices-problem]')
  // Browsers have them at safe addresses only, to which this machine belongs.
  if (toggle === null || field === null || problem === null || !('Notification' in window)) return { tell() {} }
  field.hidden = false
  const isOn = (): boolean => storage.getItem(STORED) === 'on' && Notification.permission === 'granted'
  toggle.checked = isOn()

  toggle.addEventListener('change', async () => {
    problem.textContent = ''
    storage.setItem(STORED, toggle.checked ? 'on' : 'off')
    if (!toggle.checked) return
    if ((await Notification.requestPermission()) === 'granted') return
    toggle.checked = false
    problem.textContent = 'This browser does not allow it for this page.'
  })

  return {
    tell(action) {
      if (!isOn()) return
      try {
        // Of several tabs one: the next takes the place of the one before.
        const notice = new Notification('It is time', { body: action, tag: 'keel' })
        notice.addEventListener('click', () => {
          window.focus()
          notice.close()
        })
      } catch {} // Some phones have them for installed pages alone; the title of the tab says it too.
    },
  }
}
