/** The types of entries, and how to tell an entry from other JSON. */

/** Entries that hold nothing for a miner. */
export const NOTES: readonly string[] = [
  ...['model_change', 'thinking_level_change', 'mode_change', 'usage', 'compaction', 'branch_summary', 'context_edit', 'reset'],
  ...['custom', 'custom_message', 'label', 'leaf'],
]
/** Entries that name the session. */
export const TITLES: readonly string[] = ['session_info', 'title', 'title_change']
const TYPES: ReadonlySet<unknown> = new Set(['session', ...NOTES, ...TITLES])

/** Whether a JSON object is an entry, and not an object inside one. */
export function isEntry({ type, message }: Readonly<Record<string, unknown>>): boolean {
  return type === 'message' ? typeof message === 'object' && message !== null : TYPES.has(type)
}
