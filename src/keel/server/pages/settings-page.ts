/** The settings: what can be changed here is a field, what cannot is shown with the reason. */
import type { AppState, SettingView } from '../app.ts'
import { type Html, html } from './html.ts'
import { alert, document } from './layout.ts'
import type { Notice } from './notice.ts'
import { SOURCES } from './source-words.ts'

/** By the key's beginning; what none of them claims comes last. */
const GROUPS = [
  { title: 'Proposals', keys: ['ai_'] },
  { title: 'Tasks', keys: ['tasks', 'marvin_', 'todo_', 'todoist_'] },
  { title: 'In the brief', keys: ['knowledge_', 'memu', 'screen_time'] },
  { title: 'Memory', keys: ['memory', 'aw_'] },
] as const

/** `settings`: after a rejected change with the values that were typed, so that nothing is lost. */
export function settingsPage(settings: readonly SettingView[], state: AppState, error?: Notice): string {
  const main = html`<div class="wide"><h1>Settings</h1>
${alert(error)}
<form class="settings" method="post" action="/settings" data-settings>
${grouped(settings).map(([title, rows]) => html`<fieldset><legend><h2>${title}</h2></legend>${fields(rows, error?.key)}</fieldset>`)}
<div class="row save"><button class="primary">Save</button><p role="status" data-saved></p></div>
</form></div>`
  return document({ title: `${error === undefined ? '' : 'Not saved: '}Settings – Keel`, main, path: '/settings', state })
}

function grouped(settings: readonly SettingView[]): [string, SettingView[]][] {
  const isIn = ({ key }: SettingView, keys: readonly string[]): boolean => keys.some((start) => key.startsWith(start))
  const groups = GROUPS.map(({ title, keys }): [string, SettingView[]] => [title, settings.filter((row) => isIn(row, keys))])
  const rest = settings.filter((row) => !GROUPS.some(({ keys }) => isIn(row, keys)))
  return [...groups, ['Other', rest] satisfies [string, SettingView[]]].filter(([, rows]) => rows.length > 0)
}

/** What is set elsewhere, and not set at all, is out of the way. */
function fields(rows: readonly SettingView[], wrong: string | undefined): Html {
  const isAside = ({ locked, value }: SettingView): boolean => locked !== undefined && value === ''
  const aside = rows.filter(isAside)
  return html`${rows.filter((row) => !isAside(row)).map((row) => (row.locked === undefined ? open(row, row.key === wrong) : locked(row)))}${
    aside.length > 0 &&
    html`<details class="fixed"><summary>Not set, and not set here: ${aside.map(({ label }) => label).join(', ')}</summary>${aside.map(locked)}</details>`
  }`
}

function open({ key, label, value, source, choices, help }: SettingView, isWrong: boolean): Html {
  const id = `setting-${key}`
  const described = html` aria-describedby="${id}-help${isWrong && ' error'}"${isWrong && html` aria-invalid="true"`}`
  const control =
    choices === undefined
      ? html`<input id="${id}" name="${key}" value="${value}" autocomplete="off" autocapitalize="off" spellcheck="false"${described}>`
      : html`<select id="${id}" name="${key}"${described}>${options(choices, value)}</select>`
  return html`<div class="field"><label for="${id}">${label}</label><p class="help" id="${id}-help">${help} <small data-source="${key}">(${SOURCES[source]})</small></p>${control}</div>`
}

function options(choices: readonly string[], value: string): Html[] {
  // A value that is none of them was typed into the file: it is shown as it is, and refused when it is saved.
  const all = choices.includes(value) ? choices : [value, ...choices]
  return all.map((choice) => html`<option value="${choice}"${choice === value && html` selected`}>${choice}</option>`)
}

function locked({ label, value, locked: why, help }: SettingView): Html {
  return html`<div class="field locked"><h3>${label}</h3><p class="help">${help}</p><p class="value" dir="auto">${value === '' ? 'Not set' : value}</p><p class="why">${why}</p></div>`
}
