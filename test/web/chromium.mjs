/** A real Chromium for the tests of the page: one that is here, or Debian's own. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installPackages } from '../../scripts/apt.mjs'

/** Without a window the small one is all that is needed. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome.exe']
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
/** The page names fonts that a desktop has; a bare machine lacks them, and emoji. */
const PACKAGES = ['chromium-headless-shell', 'fonts-liberation', 'fonts-noto-color-emoji']

/** @returns {Promise<string>} its path. Throws, in one line, where there is none and none can be installed (`KEEL_TEST_CHROMIUM` can name one). */
export async function findChromium() {
  const asked = process.env.KEEL_TEST_CHROMIUM
  if (asked !== undefined) return asked
  const found = installed()
  if (found !== undefined) return found
  installPackages(PACKAGES)
  const fresh = installed()
  if (fresh === undefined) throw new Error('Chromium was installed and is not found; KEEL_TEST_CHROMIUM can name it')
  return fresh
}

function installed() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...ELSEWHERE].find((path) => existsSync(path))
}
