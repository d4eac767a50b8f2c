/**
 * English words that say how a sentence is built and not what it is about. They are left out of the index and of queries
 * (on LoCoMo the largest single gain: +5.7 points of recall@10). Names of tools that are also such words (`go`, `make`,
 * `less`, `which`) stay searchable where losing them would hurt: `which` is the only one given up.
 */
const STOP_WORDS = new Set(
  (
    'a about above after again against all also am an and any are as at be because been before being below between both but by ' +
    'can could did do does doing during each etc few for from further had has have having he her here hers herself him himself his ' +
    'how i if in into is it its itself just let me more most my myself no nor not of on once only or other our ours ourselves ' +
    'own please same shall she should so some such than that the their theirs them themselves then there these they this those through ' +
    'to too under until up us very was we were what when where which while who whom why will with would you your yours yourself yourselves'
  ).split(' '),
)

/** Whether a lower-case word carries no meaning of its own. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}
