import { join } from 'node:path'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'
import type { HeadlessRun, HostSpec } from '../host-spec.ts'
import { KEY_FILES, KEY_FOLDERS } from '../key-places.ts'
import { isRecord } from './record.ts'

export const codex: HostSpec = {
  host: 'codex',
  binary: 'memu-codex',
  title: 'Codex',
  baseDir: (system) => join(system.home, '.memu'),
  sessionDir: (system) => join(dataFolder(system), 'sessions'),
  source: async (sessionDir, system) => {
    const { codexSource } = await import('./source.ts')
    const isOwn = sessionDir === codex.sessionDir(system)
    return codexSource([sessionDir, ...(isOwn ? [join(dataFolder(system), 'archived_sessions')] : [])], system)
  },
  isRecord,
  sessionIdEnv: 'CODEX_THREAD_ID',
  headless: {
    program: 'codex',
    writesOnlyFolders: true,
    // No rollout of its own, and a sandbox of its own: the tree also holds the store and the configuration, so that only the folders
    // named may be written. A Codex that knows no such profiles falls back to reading alone, and no job gets done. A login shell
    // would reset PATH and not find our program. `-` takes the prompt from standard input.
    args: (run) => [
      'exec',
      '--ephemeral',
      '--json',
      '--skip-git-repo-check',
      ...['--cd', run.workspace],
      ...['-c', `permissions.memu.filesystem=${accessTable(run)}`],
      ...['-c', 'default_permissions="memu"'],
      ...['-c', 'allow_login_shell=false'],
      '-',
    ],
  },
}

function dataFolder({ env, home }: System): string {
  return expandHome(env.CODEX_HOME || join(home, '.codex'), home)
}

/** A TOML table; the most exact path decides. */
function accessTable({ writable, hidden }: HeadlessRun): string {
  const access = [
    [':root', 'read'],
    ...writable.map((path) => [path, 'write']),
    ...[...hidden, ...KEY_FOLDERS, ...KEY_FILES].map((path) => [path, 'none']),
  ]
  return `{${access.map(([path, mode]) => `${tomlString(path!)}=${tomlString(mode!)}`).join(',')}}`
}

/** In single quotes where that is possible: on Windows no argument may hold double ones. */
function tomlString(text: string): string {
  return /['\u0000-\u001f\u007f]/.test(text) ? JSON.stringify(text) : `'${text}'`
}
