/** Stored text, file names and servers' words are data: one line, and no control character of them reaches the terminal. */
export function printable(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim()
}
