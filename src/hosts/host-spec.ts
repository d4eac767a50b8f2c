/**
 * A host is this declaration and a transcript source; every program `memu-<host>`, its help, `doctor` and guides follow
 * from it. Adding a host adds one record to `registry.ts` and one source, and changes nothing else.
 */
import type { System } from '../util/system.ts'
import type { TranscriptSource } from './transcript-source.ts'

export interface HostSpec {
  /** `claude-code`: names the working tree, the manifest files and the scheduled task. */
  readonly host: string
  /** `memu-claude-code` */
  readonly binary: string
  /** `Claude Code` */
  readonly title: string
  /** The working tree; `--base-dir` moves it. */
  readonly baseDir: (system: System) => string
  /**
   * Where the host keeps its sessions; `prepare --session-dir` moves it. Undefined where that option has to say it. In the variable by which a
   * user moves it, `~` is the home also where the host itself takes it for a name: such a folder would be another one in every project.
   */
  readonly sessionDir: (system: System) => string | undefined
  /**
   * Loaded when a verb needs it, so that `retrieve` never loads a source. With the host's own `sessionDir` it has the sessions of every place
   * in which the host keeps some, such as an archive; with a folder that the user named those in that folder alone. Only notes on these
   * sessions, such as a title, may be looked up beside it.
   */
  readonly source: (sessionDir: string, system: System) => Promise<TranscriptSource>
  /** Of the program for agents of any kind: what the one is called whose sessions lie there. Undefined where the folder does not tell. */
  readonly agentName?: (sessionDir: string, system: System) => string | undefined
  /** Whether a JSON line is of this host's log; absent where any may be. */
  readonly isRecord?: (record: Readonly<Record<string, unknown>>) => boolean
  /** The environment variable through which the host tells a tool subprocess the id of its session. */
  readonly sessionIdEnv?: string
  /** How `bridge` runs the host's own program without a person; absent where it has no such mode. */
  readonly headless?: HeadlessProgram
}

export interface HeadlessProgram {
  /** `claude`, `codex`: looked up on PATH. */
  readonly program: string
  /** Its sandbox opens folders, not single files: for the run the resource files of the tree lie in a folder of their own. */
  readonly writesOnlyFolders?: true
  /** Arguments for one run; the prompt goes to standard input. */
  readonly args: (run: HeadlessRun) => readonly string[]
}

/** What one run is about, and all that it may touch. Paths are absolute. */
export interface HeadlessRun {
  /** The host's memU tree, in which the run works. */
  readonly workspace: string
  readonly binary: string
  /** The command of the resource job, word for word. */
  readonly verifyCommand: string
  /** The folders that it has to write to; they exist. */
  readonly writable: readonly string[]
  /** Files that it must not read either. */
  readonly hidden: readonly string[]
}
