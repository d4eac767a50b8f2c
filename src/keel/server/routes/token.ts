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
    const form = await readForm(request)
    const given = form.get('token')?.trim() ?? ''
    const next = ownPage(form.get('next') ?? '/')
    if (token === undefined) return redirect(response, next)
    if (token.matches(given)) redirect(response, next, { 'set-cookie': token.newSession() })
    else respondHtml(response, tokenPage({ message: 'That is not the token.' }, next), 401)
  },
}

/** Nobody leads from here to another server by a link to this page. */
function ownPage(next: string): string {
  if (!URL.canParse(next, HERE)) return '/'
  const { origin, pathname, search } = new URL(next, HERE)
  // Two slashes at the beginning would be another server's name.
  return origin === HERE && !pathname.startsWith('//') ? `${pathname}${search}` : '/'
}

const HERE = 'http://keeld'
