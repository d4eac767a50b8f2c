/** The real agent programs, one record each. */
import { claudeCode } from './agents/claude-code.mjs'
import { codex } from './agents/codex.mjs'
import { copilot } from './agents/copilot.mjs'
import { gemini } from './agents/gemini.mjs'
import { openclaw } from './agents/openclaw.mjs'
import { opencode } from './agents/opencode.mjs'
import { pi } from './agents/pi.mjs'
import { qwen } from './agents/qwen.mjs'

/**
 * @typedef {object} AnyAgent
 * @property {string} host the name of memU's host
 * @property {string} binary memU's program for it
 * @property {string} title
 * @property {string} package
 * @property {string} version pinned: a newer one is a change to make on purpose
 * @property {string} program
 * @property {boolean} [node24] it does not run on older versions of Node.js
 * @property {(home: string) => string} tree memU's working tree
 * @property {(home: string) => string} logs where the program keeps its session logs
 * @property {string} [sessionVariable] names the session to the program's tools
 * @property {(world: { home: string, url: string }) => Record<string, string>} environment
 * @property {(world: { home: string, url: string }) => void} [settle] writes the program's own settings
 * @property {object} tools how the scripted model calls the program's tools, and what their results look like
 */

/**
 * A program that memU also runs, without a person.
 * @typedef {AnyAgent & {
 *   commands: { start: string[], resume: string[], reopen: (session: string) => string[], headless: string[] },
 * }} Agent the prompt comes on standard input; `resume` takes up the newest session of the folder, `reopen` the one named
 */

/**
 * A program whose sessions memU reads.
 * @typedef {AnyAgent & {
 *   turn: (turn: { prompt: string, project: string, session?: string }) => string[],
 *   workFolder?: (home: string) => string,
 *   titled?: (talk: object) => string,
 * }} ReadAgent `turn` begins a session, or takes up the one that is named as memU names it, or the newest one of the project (`newest`);
 *   `workFolder` where it is not the one it is started in; `titled` how its log names a session, where it does
 */

/** @type {Agent[]} */
export const agents = [claudeCode, codex]

/** @type {ReadAgent[]} */
export const readAgents = [gemini, qwen, opencode, copilot, pi, openclaw]
