/** "The timeout is 8 s and the sensor wakes up every 15 minutes": two facts, each of which may change alone. */

const JOINT = /,? and (?=(?:the|our|my) [\w-]+(?: [\w-]+){0,3} (?:is|are|lives?|runs?|listens?|wakes?|has|expires?|moved)\b)/i
const FACT = /^(?:(?:the|our|my) [\w./+#-]+(?: [\w./+#-]+){0,4}|[A-Z][\w-]+) (?:is|are|lives?|runs?|listens?|has|expires?|moved)\b[^,;:]*$/i

/** The statements of a sentence, where it plainly holds two; the sentence itself otherwise. */
export function statementsOf(sentence: string): readonly string[] {
  const joint = JOINT.exec(sentence)
  if (joint === null) return [sentence]
  const first = sentence.slice(0, joint.index)
  return FACT.test(first) && /\d|:\/\//.test(first) ? [`${first}.`, sentence.slice(joint.index + joint[0].length)] : [sentence]
}
