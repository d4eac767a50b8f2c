/** When missing files are believed to be meant, in both directions between mirror and store. */

/** More than this many at once look like an accident: five, or a fifth of the files. One is always meant. */
const MOST = 5
const LARGEST_SHARE = 1 / 5

/** Of a store that is known to be the one of before: so many files that it lacks may mean that an older copy was put in its place. */
export function areMany(removed: number, of: number): boolean {
  return removed > Math.max(1, Math.min(MOST, Math.floor(of * LARGEST_SHARE)))
}

/** Of a folder, or a store that tells no id, which may be gone as a whole: the only file there was is no proof that it is still there. */
export function looksLikeAccident(removed: number, of: number): boolean {
  return removed > 0 && (removed === of || areMany(removed, of))
}
