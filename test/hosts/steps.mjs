/** Steps, one line each: what was tried, whether it held, how long it took, and at the end how many of each. */

/** @param {(line: string) => void} print */
export function steps(print) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const line = (mark, title, seconds) => print(`${mark.padEnd(4)} ${title}${seconds === undefined ? '' : ` (${seconds.toFixed(1)} s)`}`)
  return {
    counts,
    /** Steps of one program, in order. After one that failed the others cannot hold: they are counted as failed and not run. */
    chain(name) {
      let broken = false
      return async (title, body) => {
        if (broken) {
          counts.failed += 1
          return line('FAIL', `${name} ${title}: not tried after the failure above`)
        }
        const started = performance.now()
        const seconds = () => (performance.now() - started) / 1000
        try {
          await body()
          counts.passed += 1
          line('ok', `${name} ${title}`, seconds())
        } catch (error) {
          broken = true
          counts.failed += 1
          line('FAIL', `${name} ${title}`, seconds())
          print(indented(error instanceof Error ? error.message : String(error)))
        }
      }
    },
    skip(title, reason) {
      counts.skipped += 1
      line('skip', `${title}: ${reason}`)
    },
    summary() {
      return `${counts.passed} passed, ${counts.failed} failed${counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`}`
    },
  }
}

/** Throws with what was expected and what was there instead. */
export function expect(holds, what, instead = '') {
  if (!holds)
    throw new Error(
      `expected that ${what}${instead === '' ? '' : `\n${typeof instead === 'string' ? instead : JSON.stringify(instead, null, 1)}`}`,
    )
}

function indented(text) {
  return text.trim().slice(0, 4000).replace(/^/gm, '       ')
}
