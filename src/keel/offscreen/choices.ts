/** What its user said to proposals: the next question heeds it, and so does the card, with a memory or without. */
import type { RememberedProposal } from './remembered.ts'
import { together } from './repeats.ts'

export interface Choices {
  /** Words that another proposal was wanted for since the last decision, newest first. */
  readonly passedOver: readonly string[]
  /** Of this run, newest first. What stands here of a proposal counts, whatever the memory says of it. */
  readonly own: readonly RememberedProposal[]
  /** The same, and behind it what the memory said when it was asked last. */
  readonly known: readonly RememberedProposal[]
  /** Another one is wanted; it may come back, where none can be had. */
  passOver(id: string, words: readonly string[]): void
  /** Another one is there. */
  putAside(proposal: RememberedProposal): void
  /** It was confirmed or dismissed: what was passed over before may come again. */
  decide(proposal: RememberedProposal): void
  /** As if the last decision had never been. */
  undo(): void
  /** What the memory says. */
  hear(remembered: readonly RememberedProposal[]): void
  /** As if the proposal, or all of them where none is named, had never been. */
  forget(id: string | undefined): void
}

interface PassedOver {
  readonly id: string
  readonly words: readonly string[]
}

const MOST_PASSED_OVER = 20
const MOST_OWN = 50

/** Empty: nothing was said yet, and nothing heard. */
export function newChoices(): Choices {
  let passedOver: readonly PassedOver[] = []
  let passedOverBefore: readonly PassedOver[] = []
  let own: readonly RememberedProposal[] = []
  let heard: readonly RememberedProposal[] = []
  const say = (proposal: RememberedProposal): void => {
    own = together([proposal], own).slice(0, MOST_OWN)
  }
  return {
    get passedOver() {
      return passedOver.flatMap(({ words }) => words)
    },
    get own() {
      return own
    },
    get known() {
      return together(own, heard)
    },
    passOver(id, words) {
      passedOver = [{ id, words }, ...passedOver.filter((other) => other.id !== id)].slice(0, MOST_PASSED_OVER)
    },
    putAside: say,
    decide(proposal) {
      say(proposal)
      passedOverBefore = passedOver
      passedOver = []
    },
    undo() {
      const [last, ...rest] = own
      if (last === undefined) return
      const { outcomeAt: _, reason: __, ...open } = last
      // Kept, so that a memory which did not hear of it is not believed.
      own = [{ ...open, outcome: 'unactioned' }, ...rest]
      passedOver = passedOverBefore
    },
    hear(remembered) {
      heard = remembered
    },
    forget(id) {
      const isLeft = (each: { readonly id: string }): boolean => id !== undefined && each.id !== id
      own = own.filter(isLeft)
      heard = heard.filter(isLeft)
      passedOver = passedOver.filter(isLeft)
      passedOverBefore = passedOverBefore.filter(isLeft)
    },
  }
}
