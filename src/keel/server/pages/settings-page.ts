/** The settings: what can be changed here is a field, what cannot is shown with the reason. */
import type { AppState, SettingView } from '../app.ts'
import { type Html, html } from './html.ts'
import { alert, document } from './layout.ts'
import { memoryWords } from './memory-words.ts'
import { choiceWords } from './names.ts'
import { type Notice, problemWords } from './notice.ts'
import { SOURCES } from './source-words.ts'

/** By the key's beginning; what none of them claims comes last. */
const GROUPS = [
  { title: 'Proposals', keys: ['ai_'] },
  { title: 'Tasks', keys: ['tasks', 'marvin_', 'todo_', 'todoist_'] },
  { title: 'In the brief', keys: ['knowledge_', 'memu', 'screen_time'] },
  { title: 'Memory', keys: ['memory', 'aw_'] },
] as const

/** In front of a key, in a form: what the setting was when the page was made. */
export const WAS = 'was:'

export interface SettingsOutcome {
  readonly isSaved?: boolean
  /** Why nothing was saved. */
  readonly error?: Notice
  /** What was typed then, by key, so that it is not lost. */
  readonly typed?: ReadonlyMap<string, string>
}

export function settingsPage(settings: readonly SettingView[], state: AppState, outcome: SettingsOutcome = {}): string {
  const { error, isSaved = false } = outcome
  // What is wrong with a field stands at the field.
  const isOfField = settings.some(({ key, locked }) => key === error?.key && locked === undefined)
  const said = error === undefined ? (isSaved ? 'Saved.' : '') : 'Not saved.'
  const main = html`<div class="wide"><h1>Settings</h1>
${alert(isOfField ? undefined : error)}
<form class="settings" method="post" action="/settings" autocomplete="off" data-settings>
${grouped(settings).map(([title, rows]) => html`<fieldset><legend><h2>${title}</h2></legend>${title === 'Memory' && memoryNow(state)}${fields(rows, outcome)}</fieldset>`)}
<div class="row save"><button class="primary">Save</button><p role="status" data-saved>${said}</p></div>
</form></div>`
  return document({ title: `${said.replace('.', ': ')}Settings – Keel`, main, path: '/settings', state })
}

function grouped(settings: readonly SettingView[]): [string, SettingView[]][] {
  const isIn = ({ key }: SettingView, keys: readonly string[]): boolean => keys.some((start) => key.startsWith(start))
  const groups = GROUPS.map(({ title, keys }): [string, SettingView[]] => [title, settings.filter((row) => isIn(row, keys))])
  const rest = settings.filter((row) => !GROUPS.some(({ keys }) => isIn(row, keys)))
  return [...groups, ['Other', rest] satisfies [string, SettingView[]]].filter(([, rows]) => rows.length > 0)
}

/** What every page says of the memory in one sentence, and why that is so. */
function memoryNow({ memory }: AppState): Html {
  const { short, more, why } = memoryWords(memory)
  return html`<div class="memory"><p><span data-memory="short">${short}</span>. <span data-memory="more">${more}</span></p>
<details data-memory-why${why === '' && html` hidden`}><summary>Why</summary><p class="help" data-memory="why">${why}</p></details></div>`
}

/** What is set elsewhere, and not set at all, is out of the way. */
function fields(rows: readonly SettingView[], outcome: SettingsOutcome): Html {
  const isAside = ({ locked, value }: SettingView): boolean => locked !== undefined && value === ''
  const aside = rows.filter(isAside)
  return html`${rows.filter((row) => !isAside(row)).map((row) => (row.locked === undefined ? open(row, outcome) : locked(row)))}${
    aside.length > 0 &&
    html`<details class="fixed"><summary>Only in the settings file: ${aside.map(({ label }) => label).join(', ')}</summary>${aside.map(locked)}</details>`
  }`
}

/** The first line of the field, hidden, is what it was: only what was changed is saved, or it would undo what another page changed meanwhile. */
function open({ key, label, value: was, source, choices, help, note }: SettingView, { error, typed }: SettingsOutcome): Html {
  const id = `setting-${key}`
  const value = typed?.get(key) ?? was
  const wrong = error?.key === key ? error : undefined
  const state = html` aria-describedby="${id}-help ${id}-means ${id}-wrong"${wrong !== undefined && html` aria-invalid="true" autofocus`}`
  const control =
    choices === undefined
      ? html`<input id="${id}" name="${key}" value="${value}" autocapitalize="off" spellcheck="false" dir="auto"${state}>`
      : html`<select id="${id}" name="${key}"${state}>${options(key, choices, value)}</select>`
  return html`<div class="field"><input type="hidden" name="${WAS}${key}" value="${was}" data-was="${key}"><label for="${id}">${label}</label><p class="help" id="${id}-help">${help} <small data-source="${key}">${SOURCES[source]}</small></p><div class="control">${control}<p class="help" id="${id}-means"><span data-means="${key}">${choices !== undefined && choiceWords(key, value).means}</span> <span data-note="${key}">${note}</span></p><p class="wrong" id="${id}-wrong" data-wrong="${key}">${problemWords(wrong)}</p></div></div>`
}

function options(key: string, choices: readonly string[], value: string): Html[] {
  // A value that is none of them was typed into the file: it is shown as it is, and refused when it is saved.
  const all = choices.includes(value) ? choices : [value, ...choices]
  return all.map(
    (choice) => html`<option value="${choice}"${choice === value && html` selected`}>${choiceWords(key, choice).label}</option>`,
  )
}

function locked({ key, label, value, locked: why, help, choices }: SettingView): Html {
  return html`<div class="field locked"><h3>${label}</h3><p class="help">${help}</p><div class="control"><p class="value" dir="auto">${value === '' ? 'Not set' : choices === undefined ? value : choiceWords(key, value).label}</p><p class="why">${why}</p></div></div>`
}
