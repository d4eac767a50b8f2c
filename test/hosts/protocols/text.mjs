/** The text of a message's content: a string, or blocks of which only those with text count. */
export function textOf(content) {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((block) => (typeof block.text === 'string' ? block.text : textOf(block.content))).join('\n')
}

let last = 0

/** An id that no other answer of this process has. */
export function freshId(prefix) {
  last += 1
  return `${prefix}_${process.pid}_${last}`
}
