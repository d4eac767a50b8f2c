/**
 * The pages work without this. With it a command does not load the page anew, what changes is seen at once, and keys do something.
 * Texts go into the page as text only.
 */
import { listenForCommands } from './commands.ts'
import { newLive } from './live.ts'
import { newNow } from './now.ts'
import { listenForSettings } from './settings.ts'
import { listenForKeys } from './shortcuts.ts'
import { showLost, showServices } from './state.ts'

const now = newNow(document)
const live = newLive({
  onState(state) {
    showServices(document, state)
    now?.show(state)
  },
  onLost: (isLost) => showLost(document, isLost),
})
if (now !== undefined) {
  listenForCommands(document, now, live)
  listenForKeys(document, window.localStorage)
}
listenForSettings(document, live)
document.documentElement.dataset.ready = ''
// For who measures how long that took.
performance.mark('keel-ready')
