/** Breaks lines between words; a word that is longer than a line, such as an address, is broken where the line ends. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((word) => pieces(word, width))) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function pieces(word: string, width: number): string[] {
  const found: string[] = []
  for (let at = 0; at < word.length; at += width) found.push(word.slice(at, at + width))
  return found.length === 0 ? [''] : found
}
