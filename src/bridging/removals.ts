/** When missing files are believed to be meant, in both directions between mirror and store. */

/** More than this many at once look like an accident: five, or a fifth of the files. One is always meant, but not the only one. */
const MOST = 5
const LARGEST_SHARE = 1 / 5

export function looksLikeAccident(removed: number, of: number): boolean {
  return removed > 0 && (removed === of || removed > Math.max(1, Math.min(MOST, Math.floor(of * LARGEST_SHARE))))
}
