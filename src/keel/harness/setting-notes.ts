/** What is to be said of values that are taken, and may not be what was meant. Looks at the disk, runs nothing, and never throws. */
import { accessSync, constants, statSync } from 'node:fs'
import { systemCode } from '../../util/errors.ts'
import { findProgram } from '../../util/find-program.ts'
import type { System } from '../../util/system.ts'
import { notesPath } from '../knowledge/notes.ts'
import { type KeelSettings, settingRow } from '../settings/settings.ts'
import type { SettingNotes } from '../settings/view.ts'

type Place = Pick<System, 'env' | 'platform' | 'home'>

/** By key; nothing of a setting that is as it should be. */
export function settingNotes(values: KeelSettings, system: Place): SettingNotes {
  const [backend, path] = [aboutBackend(values, system), aboutPath(values.knowledge_path, system)]
  return { ...(backend === undefined ? {} : { ai_backend: backend }), ...(path === undefined ? {} : { knowledge_path: path }) }
}

/** Proposers that are programs, under the name that is looked for. */
const PROGRAMS = ['claude', 'codex']

function aboutBackend({ ai_backend: backend, ai_program: given }: KeelSettings, system: Place): string | undefined {
  if (!PROGRAMS.includes(backend) || findProgram(given || backend, system) !== undefined) return undefined
  const what = given === '' ? `There is no program ${backend} in the folders where keeld looks for it.` : `${given} is no program.`
  return `${what} Install it, or give its whole path in ${settingRow('ai_program')!.env}.`
}

function aboutPath(path: string, system: Place): string | undefined {
  if (path === '') return undefined
  const file = notesPath(path, system)
  try {
    if (!statSync(file).isFile()) return 'That is no file.'
    accessSync(file, constants.R_OK)
    return undefined
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return `There is no such file yet (${file}); it is looked for before each proposal.`
    return `It cannot be read (${code ?? 'for an unknown reason'}).`
  }
}
