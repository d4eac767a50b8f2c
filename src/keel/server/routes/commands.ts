/** Commands: from the API as JSON, from the page as a form. What a command's values may be is the mode's business. */
import { isObject } from '../../../util/is-object.ts'
import type { OffscreenCommand } from '../../offscreen/view.ts'
import { readForm, readJsonObject } from '../body.ts'
import type { AppRoute } from '../exchange.ts'
import { foreseen, RequestError } from '../failure.ts'
import { mainPage } from '../pages/pages.ts'
import { redirect, respondHtml, respondJson } from '../respond.ts'

/** `POST /api/command` with `{name, proposal_id?, args?: {reason?, minutes?, text?, again?}}`; answers with the state. 202: the work goes on. */
export const apiCommand: AppRoute = {
  method: 'POST',
  kind: 'api',
  async handle({ request, response }, { app }) {
    const { name, proposal_id, args = {} } = await readJsonObject(request)
    if (typeof name !== 'string') throw new RequestError(400, 'unknown_command', 'The name of the command is not a text.')
    if (!isObject(args)) throw new RequestError(400, 'invalid_argument', 'args is not an object.')
    await app.command(commandOf(name, proposal_id, args))
    respondJson(response, app.state(), name === 'start' || name === 'another' ? 202 : 200)
  },
}

/** `POST /command` with the same as fields; leads back to the page. */
export const formCommand: AppRoute = {
  method: 'POST',
  kind: 'form',
  async handle({ request, response }, { app }) {
    const form = await readForm(request)
    const { name, proposal_id, ...args } = Object.fromEntries([...form].filter(([, value]) => value !== ''))
    try {
      await app.command(commandOf(name, proposal_id, typedArgs(args)))
    } catch (error) {
      const { status, notice } = foreseen(error)
      return respondHtml(response, mainPage(app.state(), notice), status)
    }
    redirect(response, '/')
  },
}

/** A form has texts alone. */
function typedArgs({ minutes, again, ...args }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    ...args,
    ...(minutes === undefined ? {} : { minutes: Number(minutes) }),
    ...(again === undefined ? {} : { again: again === 'true' }),
  }
}

/** As it came: the mode checks it, types included. */
function commandOf(name: unknown, proposalId: unknown, args: Readonly<Record<string, unknown>>): OffscreenCommand {
  const { reason, minutes, text, again } = args
  const given = Object.entries({ name, proposalId, reason, minutes, text, again }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as unknown as OffscreenCommand
}
