/** What is said of a file besides its content. */
import type { RecallFile } from '../../records.ts'
import { printable } from '../../util/printable.ts'
import { minute, size } from '../origin.ts'

/** What `doctor` counts, and `retrieve` finds, are the lines below it. */
const HEADING = /^#{1,6}\s/

/** Its name, what it is about, how long it is and when it changed: a line each. */
export function fileFacts(file: RecallFile): string[] {
  const lines = file.content.split('\n').filter((line) => line.trim() !== '' && !HEADING.test(line)).length
  return [
    printable(`${file.track}/${file.name}`),
    ...(file.description === '' ? [] : [`  ${printable(file.description)}`]),
    `  ${lines} ${lines === 1 ? 'line' : 'lines'}, ${size(file.content)}, changed ${minute(file.updated_at)}`,
  ]
}
