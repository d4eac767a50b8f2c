/** Where the time of a start-up goes: `MEMU_TIMING=1` prints the phases on stderr. Off, it costs one comparison a phase. */
const enabled = process.env.MEMU_TIMING === '1'
const phases: { readonly name: string; readonly at: number }[] = []

/** Marks the end of a phase. */
export function phase(name: string): void {
  if (enabled) phases.push({ name, at: performance.now() })
}

/** The phases in milliseconds since the process began: `start 21.3  settings +0.4 …  total 48.0`. Undefined where timing is off. */
export function timingReport(): string | undefined {
  if (!enabled) return undefined
  const parts = phases.map(({ name, at }, index) => {
    const before = phases[index - 1]?.at
    return `${name} ${before === undefined ? '' : '+'}${(at - (before ?? 0)).toFixed(1)}`
  })
  return `timing (ms): ${[...parts, `total ${performance.now().toFixed(1)}`].join('  ')}`
}
