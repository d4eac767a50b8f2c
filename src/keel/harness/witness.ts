/** Sees what a proposer really gives away, and to whom: the page shows that, and not what was meant to be sent. */
import type { Proposer } from '../ai/backend.ts'
import type { SentBrief } from '../server/app.ts'

export interface Witness {
  /** The same proposer, watched. */
  watch(ai: Proposer): Proposer
  /** Of the last brief. Another one that is asked for by now was given to nobody yet. */
  about(brief: string): Pick<SentBrief, 'destination' | 'prompts'>
  forget(): void
}

/** Knows one brief at a time: that which a proposer was asked about last. */
export function newWitness(): Witness {
  let last: { readonly brief: string; readonly ai: Proposer; readonly prompts: string[] } | undefined
  return {
    watch: (ai) => ({
      ...ai,
      propose(brief, options) {
        // The same brief is asked about again where the first answer was not wanted.
        if (last?.brief !== brief || last.ai !== ai) last = { brief, ai, prompts: [] }
        const { prompts } = last
        const onSent = (text: string): void => {
          if (!prompts.includes(text)) prompts.push(text)
          options.onSent?.(text)
        }
        return ai.propose(brief, { ...options, onSent })
      },
    }),
    about(brief) {
      if (last?.brief !== brief) return { prompts: [] }
      const { destination } = last.ai
      return { prompts: last.prompts, ...(destination === undefined ? {} : { destination }) }
    },
    forget() {
      last = undefined
    },
  }
}
