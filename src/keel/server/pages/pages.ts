/** The pages, each a function from what the daemon knows to a whole document. */
export { briefPage } from './brief-page.ts'
export { historyPage } from './history-page.ts'
export { mainPage } from './main-page.ts'
export type { Notice } from './notice.ts'
export { settingsPage, WAS } from './settings-page.ts'
export { errorPage, notFoundPage, tokenPage } from './small-pages.ts'
