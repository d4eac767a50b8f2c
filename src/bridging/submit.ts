/** Sends a commit to the store, planned over what the store holds at that moment. */
import type { CommitReceipt } from '../memory/backend.ts'
import type { ResourceInput } from '../records.ts'
import { MemuError } from '../util/errors.ts'
import { type BridgingDeps, scopeOf } from './bridging-deps.ts'
import type { MirrorChanges } from './changes.ts'
import { type CommitPlan, type PlanContext, planCommit } from './plan-commit.ts'
import { storedFiles } from './stored-files.ts'

export interface Submitted {
  readonly plan: CommitPlan
  readonly receipt: CommitReceipt
}

/** A commit of nothing: the store is not asked. */
export const NOTHING: Submitted = {
  plan: { files: [], forget: [], gone: [], refused: [], accident: 0, seen: [], held: [] },
  receipt: { recall_files: [], resources: [], forgotten: [] },
}

/** Others write to the store at the same time; each time they were faster is one more merge. */
const MOST_PLANS = 10

/** Errors: those of `commitResults`, `changed_meanwhile` only after many attempts. */
export async function submit(
  changes: MirrorChanges,
  resource: readonly ResourceInput[],
  context: Omit<PlanContext, 'stored'>,
  deps: BridgingDeps,
): Promise<Submitted> {
  const backend = await deps.backend()
  for (let attempt = 1; ; attempt++) {
    const { files: stored } = await storedFiles(backend, scopeOf(deps))
    const plan = await planCommit(changes, { ...context, stored })
    try {
      const receipt = await backend.commitResults({
        recall_files: plan.files.map((file) => file.input),
        resource,
        forget: plan.forget.map(({ track, name }) => ({ track, name })),
        seen: plan.seen,
        ...(deps.scope === undefined ? {} : { user: deps.scope }),
      })
      return { plan, receipt }
    } catch (error) {
      if (attempt === MOST_PLANS || !(error instanceof MemuError) || error.code !== 'changed_meanwhile') throw error
    }
  }
}
