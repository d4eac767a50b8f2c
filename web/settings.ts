/** Settings without loading the page anew: what was typed stays, also when it is refused, and the field that is wrong says so. */
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
  form.addEventListener('input', () => say(''))

  async function save(): Promise<void> {
    isSaving = true
    say('Saving…')
    const values = Object.fromEntries([...new FormData(form!)].filter(([, value]) => typeof value === 'string'))
    const { problem, body } = await post('/api/settings', { values })
    isSaving = false
    say(problem === undefined ? 'Saved.' : 'Not saved.')
    page.title = problem === undefined ? 'Settings – Keel' : 'Not saved: Settings – Keel'
    show(problem)
    if (problem === undefined) showSources(form!, body)
    await live.refresh()
  }

  function show(problem: Problem | undefined): void {
    setText(alert!, '[data-text=error]', problem?.message ?? '')
    setText(alert!, '[data-text=hint]', problem?.hint ?? '')
    alert!.hidden = problem === undefined
    for (const field of form!.querySelectorAll<HTMLInputElement>('input, select')) mark(field, problem?.key === field.name)
  }

  function mark(field: HTMLInputElement, isWrong: boolean): void {
    const help = `${field.id}-help`
    field.ariaInvalid = isWrong ? 'true' : null
    field.setAttribute('aria-describedby', isWrong ? `${help} ${alert!.id}` : help)
    if (isWrong) field.focus()
  }

  function say(text: string): void {
    setText(form!, '[data-saved]', text)
  }
}

/** Where each value comes from now: the file, where it was changed here. */
function showSources(form: HTMLFormElement, body: unknown): void {
  const { settings = [] } = (body ?? {}) as { readonly settings?: readonly SettingView[] }
  for (const { key, source } of settings) setText(form, `[data-source=${CSS.escape(key)}]`, `(${SOURCES[source]})`)
}
