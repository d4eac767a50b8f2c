/** Reasons not to keep a sentence, whatever it says. They come before every rule: a missed line is asked for again, a wrong one misleads. */
import { mayHoldSecret } from './secrets.ts'

const QUESTION =
  /[?？]["')\]]*$|(?:吗|呢|ですか|ますか|でしょうか|のか)[。.]?$|^(?:what|which|who|whose|where|why|how|did|does|is|are|was|were|am|can|could|should|shall|would|will|has|have|had|isn't|aren't|doesn't|didn't|won't|can't)\b|^do (?:you|we|i|they|the|these|those|any|people)\b|^(?:为什么|怎么|什么|是否|能不能|可以|どう|なぜ|何|warum|wieso|weshalb|wie |was |wer |wo |soll(?:en|te)? |kannst|können|ist |sind |hat )/i

const UNCERTAIN =
  /\b(?:maybe|perhaps|might|could|probably|possibly|presumably|apparently|i (?:think|guess|suppose|believe|assume|hope|wonder|doubt)|i'm (?:not sure|wondering|guessing|thinking)|i am (?:not sure|wondering|thinking)|not sure|no idea|suppose|imagine|assuming|what if|if we|if i|let's say|let us say|hypothetically|in theory|thinking (?:about|of)|considering|whether|undecided|tbd|haven't (?:decided|agreed|chosen|settled)|have not (?:decided|agreed)|seems?|vielleicht|wahrscheinlich|möglicherweise|ich glaube|könnten|würde gern)\b|也许|可能|大概|如果我们|かもしれ|たぶん|と思う/i
const WISH = /\b(?:would|should)\b/i
/** "I would rather" and "you should always" are preferences in polite words. */
const FIRM_WISH =
  /\b(?:would|'d) (?:rather|prefer)\b|\bi would (?:like|want)\b.*\b(?:always|never)\b|\b(?:should|must) (?:always|never|not|only|be|live|go|use|stay|have|follow|start|end)\b/i

const OTHERS =
  /^(?:he|she|they|people|someone|somebody|everyone|everybody|nobody|some (?:people|teams|folks|say)|many (?:people|teams)|most (?:people|teams)|(?:my|our|a|the) (?:colleague|coworker|boss|manager|friend|customer|client)s? (?:said|says|told|thinks?|wants?|likes?|prefers?)|the (?:docs?|documentation|readme|error|message|warning|log|linter|compiler|guide|article|book|manual|tutorial|spec) (?:says?|said|claims?|tells?|states?|recommends?|suggests?))\b/i

const JOKE = /^(?:lol|haha|rofl)\b|\blol\b|[😂🤣]/iu

/** Half a sentence whose meaning lies in the other half: "Marketing uses 30 days, ignore them." */
const DISOWNED =
  /[,;.–—-] ?(?:so |but |just |please )?(?:ignore|forget(?: about)?|disregard|never mind|skip) (?:them|it|that|those|this|him|her)\b|\b(?:not|n't|never) (?:really )?matter\b/i
/** Said in anger, or about the agent's manners of the moment. */
const OUTBURST =
  /^(?:please |just )?(?:(?:stop|quit) (?:making (?:things|stuff|it|this) up|guessing|lying|hallucinating|inventing|being|arguing|pretending|rambling|it\b|that\b|this\b|apologi[sz]ing(?: and\b|[.!]|$))|(?:don't|do not|never) (?:lie|do (?:that|this|it)|make (?:things|stuff|it) up|be so|argue|waste)\b)/i

/** True where nothing of the sentence may be kept. `sentence` is as typed, `masked` the same with quoted words blanked out. */
export function isVetoed(sentence: string, masked: string): boolean {
  return (
    QUESTION.test(sentence) ||
    UNCERTAIN.test(masked) ||
    (WISH.test(masked) && !FIRM_WISH.test(masked)) ||
    OTHERS.test(masked) ||
    JOKE.test(sentence) ||
    DISOWNED.test(masked) ||
    OUTBURST.test(masked) ||
    mayHoldSecret(sentence)
  )
}

/** The sentence with the inside of quotation marks blanked, character for character: what is quoted is not said. */
export function maskQuotes(sentence: string): string {
  return sentence.replace(/"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|(?<!\w)'[^']+'(?!\w)/g, (quoted) => '¤'.repeat(quoted.length))
}
