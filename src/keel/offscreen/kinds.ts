/** The events of the off-screen mode, and what `data` holds. The seed's three kinds and their fields are a contract. */
export const MODE = 'offscreen'

/** The field of `data` by which the events of one proposal are told. */
export const PROPOSAL_ID = 'proposal_id'

/** `{proposal_id, mode, next_action, rationale}` */
export const PROPOSAL_MADE = 'proposal_made'
/** `{proposal_id, mode, next_action}`, and `existing: true` where the task was on the list already */
export const ACTION_TAKEN = 'action_taken'
/** `{proposal_id, mode}`, and `reason` where the user gave one */
export const PROPOSAL_DISMISSED = 'proposal_dismissed'
/** Ours: `{proposal_id, mode, minutes}`; 0: it was woken */
export const PROPOSAL_SNOOZED = 'proposal_snoozed'
/** Ours: `{proposal_id, mode, next_action}`: the task tool is about to be asked */
export const CONFIRM_BEGUN = 'confirm_begun'
/** Ours: `{proposal_id, mode}`: the task was surely not added */
export const CONFIRM_FAILED = 'confirm_failed'
/** Ours: `{proposal_id, mode}` */
export const DISMISSAL_UNDONE = 'dismissal_undone'
/** Ours: `{proposal_id, mode}`: another one was wanted, and is there */
export const PROPOSAL_PUT_ASIDE = 'proposal_put_aside'
/** Ours: `{proposal_id, mode, next_action}`: the user's own words in place of those proposed */
export const PROPOSAL_EDITED = 'proposal_edited'
