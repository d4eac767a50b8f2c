/** Colours where somebody sees them. */
export interface Palette {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly accent: (text: string) => string
}

export function palette(colour: boolean): Palette {
  const style = (code: number) => (text: string) => (colour && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { bold: style(1), dim: style(2), accent: style(36) }
}
