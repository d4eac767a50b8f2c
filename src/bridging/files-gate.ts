/**
 * The one gate where memory files leave the machine's mirror for the store: whatever must never be stored is taken out here.
 */
import type { RecallFileInput } from '../records.ts'

/** The file as it may be stored, or undefined where it must not be stored at all (it then stays in the mirror, reported). */
export type FilesGate = (file: RecallFileInput) => RecallFileInput | undefined

/** Lets everything pass. */
export const openGate: FilesGate = (file) => file
