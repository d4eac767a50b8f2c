/** A line of a memory file as words alone: without the dash, star or number of the list that it stands in there. */
export function withoutListMark(line: string): string {
  return line.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, '')
}
