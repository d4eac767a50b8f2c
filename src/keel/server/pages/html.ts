/** HTML on the server: what is put into a template is text, unless it came out of one. */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text that is HTML already. */
export interface Html {
  readonly html: string
}

export type HtmlValue = Html | string | number | undefined | false | readonly HtmlValue[]

/** Everything between the words of the template is escaped; lists follow one another, `undefined` and `false` are nothing. */
export function html(words: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { html: words.map((word, index) => word + written(values[index])).join('') }
}

function written(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character]!)
  return 'html' in value ? value.html : value.map(written).join('')
}
