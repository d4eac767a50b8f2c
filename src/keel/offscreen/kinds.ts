/** The events of the off-screen mode, and what `data` holds. The seed's three kinds and their fields are a contract. */
export const MODE = 'offscreen'

/** `{proposal_id, mode, next_action, rationale}` */
export const PROPOSAL_MADE = 'proposal_made'
/** `{proposal_id, mode, next_action}` */
export const ACTION_TAKEN = 'action_taken'
/** `{proposal_id, mode}`, and `reason` where the user gave one */
export const PROPOSAL_DISMISSED = 'proposal_dismissed'
/** Ours: `{proposal_id, mode, minutes}` */
export const PROPOSAL_SNOOZED = 'proposal_snoozed'
/** Ours: `{proposal_id, mode, next_action}`: the user's own words in place of those proposed */
export const PROPOSAL_EDITED = 'proposal_edited'
