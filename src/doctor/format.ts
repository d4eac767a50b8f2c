/** A diagnosis for a tired person: one line a check, and under what is not well the one thing to do. */
import { printable } from '../util/printable.ts'
import type { Level } from './check.ts'
import type { Diagnosis } from './doctor.ts'

const MARKS: Readonly<Record<Level, string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' }
const COLOURS: Readonly<Record<Level, number>> = { ok: 32, warn: 33, fail: 31 }

export function formatDiagnosis({ findings, level }: Diagnosis, colour: boolean): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const paint = (of: Level, text: string): string => (colour ? `\u001b[${COLOURS[of]}m${text}\u001b[0m` : text)
  const lines = findings.map(({ check, level: of, what, next }) => {
    const first = `${paint(of, MARKS[of])}  ${check.padEnd(width)}  ${printable(what)}`
    return next === undefined ? first : `${first}\n${' '.repeat(8 + width)}→ ${printable(next)}`
  })
  const count = (of: Level): number => findings.filter((finding) => finding.level === of).length
  const closing = {
    ok: 'Everything works.',
    warn: `It works; ${count('warn')} ${count('warn') === 1 ? 'thing' : 'things'} to know.`,
    fail: `It does not work: begin with the first FAIL (${count('fail')} in all).`,
  }
  return `${lines.join('\n')}\n\n${paint(level, closing[level])}\n`
}
