/** Comma-separated values as RFC 4180 has them, row by row; whatever breaks its rules is read as the text it is. */
export function* csvRows(text: string): Generator<string[]> {
  let row: string[] = []
  let cell = ''
  let at = 0
  const endCell = (): void => {
    row.push(cell)
    cell = ''
  }
  const endRow = (): string[] => {
    endCell()
    const ended = row
    row = []
    return ended
  }
  while (at < text.length) {
    const character = text[at]!
    if (character === '"' && cell === '') {
      const end = endOfQuoted(text, at + 1)
      cell = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
      // Letters behind the closing quote belong to the cell: `"a"b`.
      while (at < text.length && !',\r\n'.includes(text[at]!)) cell += text[at++]
      continue
    }
    at++
    if (character === ',') endCell()
    else if (character === '\n') yield endRow()
    else if (character !== '\r' || text[at] !== '\n') cell += character
  }
  if (cell !== '' || row.length > 0) yield endRow()
}

/** Where the quote is closed; the end of the text where it never is. */
function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  return text.length
}
