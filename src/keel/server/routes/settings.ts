/** Settings: shown, and changed as far as the page may. The daemon refuses commands and secrets itself; here they do not even get to it. */
import { isObject } from '../../../util/is-object.ts'
import type { App } from '../app.ts'
import { readForm, readJsonObject } from '../body.ts'
import type { AppRoute } from '../exchange.ts'
import { foreseen, RequestError } from '../failure.ts'
import { settingsPage, WAS } from '../pages/pages.ts'
import { redirect, respondHtml, respondJson } from '../respond.ts'

export const settingsView: AppRoute = {
  method: 'GET',
  kind: 'page',
  handle: ({ response, query }, { app }) => respondHtml(response, settingsPage(app.settings(), app.state(), { isSaved: query.has(SAVED) })),
}

export const apiSettings: AppRoute = {
  method: 'GET',
  kind: 'api',
  handle: ({ response }, { app }) => respondJson(response, { settings: app.settings() }),
}

/** `POST /api/settings` with `{values: {key: text}}`: those that are named. Answers with all. */
export const apiChangeSettings: AppRoute = {
  method: 'POST',
  kind: 'api',
  async handle({ request, response }, { app }) {
    const { values } = await readJsonObject(request)
    if (!isObject(values)) throw new RequestError(400, 'invalid_argument', 'values is not an object.')
    await change(app, Object.entries(values))
    respondJson(response, { settings: app.settings() })
  },
}

/** In the address of the page to which a form that was saved leads. */
const SAVED = 'saved'

/** `POST /settings` with a field each; leads back to the page. A rejected change shows again what was typed. */
export const formSettings: AppRoute = {
  method: 'POST',
  kind: 'form',
  async handle({ request, response }, { app }) {
    const typed = typedIn(await readForm(request))
    try {
      await change(app, [...typed])
    } catch (error) {
      const { status, notice } = foreseen(error)
      return respondHtml(response, settingsPage(app.settings(), app.state(), { error: notice, typed }), status)
    }
    redirect(response, `/settings?${SAVED}`)
  },
}

/** Only what differs from what is there: a form sends every field, and a default must not end up in the file as a choice. */
async function change(app: App, given: readonly (readonly [string, unknown])[]): Promise<void> {
  const settings = new Map(app.settings().map((setting) => [setting.key, setting]))
  const values: [string, string][] = []
  for (const [key, value] of given) {
    const setting = settings.get(key)
    if (setting === undefined) throw refusal(key, 'There is no such setting.')
    if (setting.locked !== undefined) throw refusal(key, setting.locked)
    if (typeof value !== 'string') throw refusal(key, 'The value is not a text.')
    if (value !== setting.value) values.push([key, value])
  }
  if (values.length > 0) await app.changeSettings(Object.fromEntries(values))
}

/** What is still as the page had it was not typed: meanwhile another page may have changed it. */
function typedIn(form: URLSearchParams): Map<string, string> {
  return new Map([...form].filter(([key, value]) => !key.startsWith(WAS) && form.get(WAS + key) !== value))
}

class RefusedSetting extends RequestError {
  readonly key: string

  constructor(key: string, message: string) {
    super(400, 'invalid_setting', message)
    this.key = key.slice(0, 100)
  }
}

function refusal(key: string, message: string): RefusedSetting {
  return new RefusedSetting(key, message)
}
