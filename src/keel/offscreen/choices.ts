/** What its user said to the proposals of this run: the next question heeds it, with a memory or without. */
import type { RememberedProposal } from './remembered.ts'

export interface Choices {
  /** Actions that were put aside since the last decision, newest first. */
  readonly passedOver: readonly string[]
  /** Newest first. What stands here of a proposal counts, whatever the memory says of it. */
  readonly decided: readonly RememberedProposal[]
  passOver(proposal: PutAside): void
  decide(proposal: RememberedProposal): void
  /** As if the last decision had never been. */
  undo(): void
  /** As if the proposal, or all of them where none is named, had never been. */
  forget(id: string | undefined): void
}

interface PutAside {
  readonly id: string
  readonly nextAction: string
}

const MOST_PASSED_OVER = 20
const MOST_DECIDED = 50

export function newChoices(): Choices {
  let passedOver: readonly PutAside[] = []
  let passedOverBefore: readonly PutAside[] = []
  let decided: readonly RememberedProposal[] = []
  return {
    get passedOver() {
      return passedOver.map(({ nextAction }) => nextAction)
    },
    get decided() {
      return decided
    },
    passOver(proposal) {
      passedOver = [proposal, ...passedOver].slice(0, MOST_PASSED_OVER)
    },
    decide(proposal) {
      decided = [proposal, ...decided].slice(0, MOST_DECIDED)
      passedOverBefore = passedOver
      passedOver = []
    },
    undo() {
      const [last, ...rest] = decided
      if (last === undefined) return
      const { outcomeAt: _, reason: __, ...open } = last
      // Kept, so that a memory which did not hear of it is not believed.
      decided = [{ ...open, outcome: 'unactioned' }, ...rest]
      passedOver = passedOverBefore
    },
    forget(id) {
      const isLeft = (each: { readonly id: string }): boolean => id !== undefined && each.id !== id
      decided = decided.filter(isLeft)
      passedOver = passedOver.filter(isLeft)
      passedOverBefore = passedOverBefore.filter(isLeft)
    },
  }
}
