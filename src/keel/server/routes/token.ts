/** `POST /token`: the token of a daemon that other machines reach, typed on a page. */
import { readForm } from '../body.ts'
import type { OpenRoute } from '../exchange.ts'
import { tokenPage } from '../pages/pages.ts'
import { redirect, respondHtml } from '../respond.ts'

export const enterToken: OpenRoute = {
  open: true,
  method: 'POST',
  kind: 'form',
  async handle({ request, response }, { token }) {
    const given = (await readForm(request)).get('token')?.trim() ?? ''
    if (token === undefined) return redirect(response, '/')
    if (token.matches(given)) redirect(response, '/', { 'set-cookie': token.newSession() })
    else respondHtml(response, tokenPage({ message: 'That is not the token.' }), 401)
  },
}
