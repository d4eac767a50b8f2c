/** Stored text, file names and servers' words are data: one line, and no control character of them reaches the terminal. */
export function printable(text: string): string {
  return text.replace(/[\s\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g, ' ').trim()
}

/** Scripts in which a joiner between two letters changes how these are written. */
const JOINING = ['Arab', 'Syrc', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Mymr', 'Khmr']
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('')

/** First what a reader sees the work of: such joiners, those between pictures, and the mark behind a picture of how it is drawn. */
const INVISIBLE = new RegExp(
  [
    `((?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`,
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3))',
    '[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]',
  ].join('|'),
  'gu',
)

/**
 * Without what is drawn as nothing: tags, fillers, zero widths, marks of direction. A text from elsewhere could tell a model with them what
 * no reader is told, and one of nothing else looks empty.
 */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, (_, seen: string | undefined) => seen ?? '')
}

/** One line of what can be seen; empty where nothing can. Half surrogate pairs, which JSON may hold and no store would, are replaced. */
export function visibleLine(text: string): string {
  return printable(withoutInvisible(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/\u2800/g, ' ')) // The blank of Braille.
}
