/** Forgetting: one proposal, or everything; from the API as JSON, from the history as a form. */
import type { App } from '../app.ts'
import { readForm, readJsonObject } from '../body.ts'
import type { AppRoute } from '../exchange.ts'
import { foreseen, RequestError } from '../failure.ts'
import { historyPage } from '../pages/pages.ts'
import { redirect, respondHtml, respondJson } from '../respond.ts'
import { canShow, DEFAULT_DAYS, FORGOTTEN, historyOf } from './reading.ts'

/** `POST /api/forget` with `{proposal_id}` or `{all: true}`; answers with the state. */
export const apiForget: AppRoute = {
  method: 'POST',
  kind: 'api',
  async handle({ request, response }, { app }) {
    const { proposal_id, all } = await readJsonObject(request)
    await forget(app, proposal_id, all)
    respondJson(response, app.state())
  },
}

/** `POST /forget` with the same as fields, and `days` of the history to which it leads back. */
export const formForget: AppRoute = {
  method: 'POST',
  kind: 'form',
  async handle({ request, response, signal }, { app }) {
    const form = await readForm(request)
    const days = daysOf(form)
    try {
      await forget(app, form.get('proposal_id') ?? undefined, form.get('all') === 'true' || undefined)
    } catch (error) {
      const { status, notice } = foreseen(error)
      return respondHtml(response, historyPage(await historyOf(app, days, signal), app.state(), { error: notice }), status)
    }
    redirect(response, `/history?days=${days}&${FORGOTTEN}`)
  },
}

/**
 * Exactly one of the two: what is meant must not depend on what a program left out. It goes on where whoever asked is gone: half of it is
 * no wish of anybody's.
 */
async function forget(app: App, proposalId: unknown, all: unknown): Promise<void> {
  if (proposalId === undefined && all === true) return app.forget(undefined)
  if (typeof proposalId === 'string' && proposalId !== '' && all === undefined) return app.forget(proposalId)
  throw new RequestError(400, 'invalid_argument', 'What is to be forgotten is not named.', {
    hint: 'Send a proposal_id, or all: true.',
  })
}

function daysOf(form: URLSearchParams): number {
  const days = Number(form.get('days'))
  return canShow(days) ? days : DEFAULT_DAYS
}
