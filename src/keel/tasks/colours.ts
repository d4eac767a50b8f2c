/** What a program writes so that a terminal shows colours: text for nobody. */
export function withoutColours(text: string): string {
  return text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
}
