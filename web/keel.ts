/**
 * The pages work without this. With it a command does not load the page anew, what changes is seen at once, and keys do something.
 * Texts go into the page as text only.
 */
import { newAlarm } from './alarm.ts'
import { listenForCommands } from './commands.ts'
import { newLive } from './live.ts'
import { newNotices } from './notices.ts'
import { newNow } from './now.ts'
import { listenForSending } from './panels.ts'
import { listenForSettings } from './settings.ts'
import { listenForKeys } from './shortcuts.ts'
import { showLost, showServices } from './state.ts'

/** Without the state there is nothing to follow: a page that asks for a token, or says that it is none. */
function enliven(page: Document): void {
  const now = newNow(page)
  const notices = newNotices(page, window.localStorage)
  const alarm = newAlarm(async () => {
    // Meanwhile another page may have decided.
    await live.refresh()
    const action = now?.setDue()
    if (action !== undefined && !page.hasFocus()) notices.tell(action)
  })
  const live = newLive({
    onState(state) {
      showServices(page, state)
      now?.show(state)
      if (now !== undefined) alarm.set(state)
    },
    onLost: (isLost) => showLost(page, isLost),
  })
  if (now !== undefined) {
    listenForCommands(page, now, live)
    listenForKeys(page, window.localStorage)
    listenForSending(page)
  }
  listenForSettings(page, live)
}

if (document.querySelector('.state') !== null) enliven(document)
document.documentElement.dataset.ready = ''
// For who measures how long that took.
performance.mark('keel-ready')
