/** The rules read and write mirror files as every executor in this process does. */
export { type MirrorChange, mirrorText, writeMirror } from '../mirror-text.ts'
