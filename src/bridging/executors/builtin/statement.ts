/** What the rules make of one sentence. */
export type Kind = 'preference' | 'decision' | 'fact' | 'person'

export interface Statement {
  /** `person` is a fact about the user: it belongs to no project. */
  readonly kind: Kind
  /** Self-contained, in the third person, with a capital and a full stop. */
  readonly text: string
  /** Whether the sentence itself says that it holds for one project only ("in this repo"). */
  readonly scoped: boolean
}
