/** Settings without loading the page anew: what was typed stays, also when it is refused, and the field that is wrong says so. */

import { choiceWords } from '../src/keel/server/pages/names.ts'
import { alertWords, problemWords } from '../src/keel/server/pages/notice.ts'
import { SOURCES } from '../src/keel/server/pages/source-words.ts'
import type { SettingView } from '../src/keel/settings/view.ts'
import { type Problem, post } from './api.ts'
import type { Live } from './live.ts'
import { setText } from './state.ts'

export function listenForSettings(page: Document, live: Live): void {
  const form = page.querySelector<HTMLFormElement>('[data-settings]')
  const alert = page.querySelector<HTMLElement>('[data-part=error]')
  if (form === null || alert === null) return
  let isSaving = false

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!isSaving) void save()
  })
  // What is typed now is not what was saved.
  form.addEventListener('input', ({ target }) => {
    say('')
    if (target instanceof HTMLSelectElement) tellMeaning(form, target.name, target.value)
  })
  // Without this a link in the navigation would lose what was typed.
  window.addEventListener('beforeunload', (event) => {
    if (Object.keys(changedIn(form, new FormData(form))).length > 0) event.preventDefault()
  })

  async function save(): Promise<void> {
    isSaving = true
    say('Saving…')
    const fields = new FormData(form!)
    const { problem, body } = await post('/api/settings', { values: changedIn(form!, fields) })
    isSaving = false
    say(problem === undefined ? 'Saved.' : 'Not saved.')
    page.title = problem === undefined ? 'Settings – Keel' : 'Not saved: Settings – Keel'
    show(problem)
    if (problem === undefined) showSaved(form!, fields, body)
    await live.refresh()
  }

  function show(problem: Problem | undefined): void {
    const field = form!.querySelector<HTMLElement>(`[data-wrong="${CSS.escape(problem?.key ?? '')}"]`)
    for (const line of form!.querySelectorAll('[data-wrong]')) line.textContent = line === field ? problemWords(problem) : ''
    for (const control of form!.querySelectorAll<HTMLElement>('.control > input, .control > select')) mark(control, field)
    const isElsewhere = problem !== undefined && field === null
    const words = alertWords(isElsewhere ? problem : undefined)
    for (const [name, text] of Object.entries(words)) setText(alert!, `[data-text=${name}]`, text)
    alert!.hidden = !isElsewhere
    alert!.querySelector<HTMLElement>('[data-part=full]')!.hidden = words.full === ''
    if (isElsewhere) alert!.scrollIntoView({ block: 'center' })
  }

  function mark(control: HTMLElement, wrong: HTMLElement | null): void {
    const isWrong = wrong !== null && wrong.parentElement === control.parentElement
    control.toggleAttribute('aria-invalid', isWrong)
    if (!isWrong) return
    control.setAttribute('aria-invalid', 'true')
    control.focus()
  }

  function say(text: string): void {
    setText(form!, '[data-saved]', text)
  }
}

/** The others stay as they are, also where another page changed them since this one was made. */
function changedIn(form: HTMLFormElement, fields: FormData): Readonly<Record<string, string>> {
  const keys = [...form.querySelectorAll<HTMLInputElement>('[data-was]')].filter(({ dataset, value }) => fields.get(dataset.was!) !== value)
  return Object.fromEntries(keys.map(({ dataset }) => [dataset.was!, String(fields.get(dataset.was!))]))
}

/** Each as it is now, and where that comes from: the file, where it was changed here. */
function showSaved(form: HTMLFormElement, sent: FormData, body: unknown): void {
  const { settings = [] } = (body ?? {}) as { readonly settings?: readonly SettingView[] }
  for (const { key, value, source, note = '' } of settings) {
    setText(form, `[data-source=${CSS.escape(key)}]`, SOURCES[source])
    setText(form, `[data-note=${CSS.escape(key)}]`, note)
    const was = form.querySelector<HTMLInputElement>(`[data-was="${CSS.escape(key)}"]`)
    const field = form.elements.namedItem(key)
    if (was === null || !(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue
    was.value = value
    // Not what was typed while it was saved.
    if (field.value === sent.get(key)) field.value = value
  }
}

/** What follows from a choice, before it is saved. */
function tellMeaning(form: HTMLFormElement, key: string, value: string): void {
  setText(form, `[data-means=${CSS.escape(key)}]`, choiceWords(key, value).means ?? '')
}
