/** The plainest forms of other languages: few patterns, each one explicit. */
import type { Kind } from './statement.ts'

interface Rule {
  readonly kind: Kind
  readonly pattern: RegExp
  readonly unless?: RegExp
}

const RULES: readonly Rule[] = [
  // German
  {
    kind: 'preference',
    pattern: /^ich (?:bevorzuge|mag (?:keine|lieber)|möchte (?:immer|nie|keine)|hätte lieber|hasse)\b/i,
    unless: /\b(?:dies|das hier|hier)\b/i,
  },
  {
    kind: 'preference',
    pattern: /^(?:bitte )?(?:immer|nie(?:mals)?|ab jetzt|ab sofort|künftig|in zukunft|grundsätzlich|standardmäßig)\s+\S+\s+\S/i,
    unless: /\b(?:wieder|noch)\b/i,
  },
  { kind: 'preference', pattern: /^bitte .+ (?:statt|anstatt|anstelle von) .+(?:verwenden|benutzen|nehmen|nutzen)/i },
  { kind: 'preference', pattern: /^(?:verwende|benutze|nutze|nimm|schreib|antworte)\b.*\b(?:immer|nie|niemals|statt|ab jetzt|künftig)\b/i },
  { kind: 'decision', pattern: /^wir haben (?:uns |heute |gestern )*(?:.+ )?(?:entschieden|beschlossen|vereinbart)\b/i },
  { kind: 'decision', pattern: /^wir (?:nehmen|wechseln (?:zu|von|auf)|bleiben bei|verzichten auf)\s+(?!das\b|es\b|die zweite)\S/i },
  { kind: 'fact', pattern: /^(?:merk(?:e)? dir|denk(?:e)? daran|zur info|beachte|vergiss nicht)\s*[:,]?\s*(?:dass\s+)?\S+ \S+ \S/i },
  { kind: 'fact', pattern: /^unser(?:e|er)? (?:\S+ ){0,3}?\S+ (?:ist|läuft|liegt|heißt|steht)\b.*(?:\d|https?:|\/|[A-ZÄÖÜ]\w*[A-Z_-])/ },
  { kind: 'person', pattern: /^(?:ich heiße|mein name ist|ich arbeite (?:bei|im|in|als|an))\s+\S/i },
  // Chinese
  { kind: 'preference', pattern: /^(?:请)?(?:以后|今后|从现在开始|从今以后|始终|总是|永远|一律)(?:都|请|不要|别|要|用|使用)/ },
  { kind: 'preference', pattern: /^(?:请)?(?:不要再|别再|永远不要|千万不要|请总是|请始终|务必)/ },
  { kind: 'preference', pattern: /^我(?:更)?(?:喜欢|偏好|习惯|讨厌|不喜欢)(?!这|那|它)/ },
  { kind: 'decision', pattern: /^(?:我们|咱们)(?:已经|最终|最后)?(?:决定|选择了|选定|商定)/ },
  { kind: 'fact', pattern: /^(?:请)?(?:记住|记得|注意|请注意|备注)[，,:：\s]*\S{4,}/ },
  { kind: 'fact', pattern: /^(?:我们的|我的).{1,20}(?:是|在|运行在).*[\dA-Za-z/]/ },
  // Japanese
  {
    kind: 'preference',
    pattern: /^(?:今後は|これからは|常に|いつも|必ず|絶対に|決して).+(?:ください|下さい|こと|ほしい|でお願いします|ないで)/,
  },
  { kind: 'preference', pattern: /(?:は|を)(?:必ず|常に|いつも|絶対に).+(?:ください|下さい|でお願いします)/ },
  { kind: 'preference', pattern: /(?:の方が|のほうが)(?:好き|いい)です?。?$/ },
  { kind: 'decision', pattern: /(?:ことにしました|ことに決めました|に決めました|に決定しました)。?$/ },
  { kind: 'fact', pattern: /^(?:覚えて(?:おいて)?(?:ください)?|メモして(?:ください)?|注意)[、,:：\s]*\S{4,}/ },
]

/** The kind of a German, Chinese or Japanese sentence that says it in plain words. */
export function otherLanguageKind(main: string): Kind | undefined {
  return RULES.find(({ pattern, unless }) => pattern.test(main) && unless?.test(main) !== true)?.kind
}
