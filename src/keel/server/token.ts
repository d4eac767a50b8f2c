/** A daemon that other machines reach asks for a token: as a bearer, or once on a page, which leaves a cookie. */
import { createHash, timingSafeEqual } from 'node:crypto'

export interface TokenCheck {
  matches(token: string): boolean
  /** Whether a request with these headers may pass. */
  admits(headers: { readonly authorization?: string | undefined; readonly cookie?: string | undefined }): boolean
  /** For `Set-Cookie`. It does not hold the token, only what is made of it. */
  readonly cookie: string
}

const COOKIE = 'keel_session'

export function tokenCheck(token: string): TokenCheck {
  const wanted = digest(token)
  const session = digest(`session ${token}`).toString('base64url')
  const matches = (given: string): boolean => timingSafeEqual(digest(given), wanted)
  const isSession = (given: string): boolean => timingSafeEqual(digest(given), digest(session))
  return {
    matches,
    admits({ authorization, cookie }) {
      const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
      if (bearer !== undefined) return matches(bearer)
      return cookies(cookie).some(([name, value]) => name === COOKIE && isSession(value))
    },
    cookie: `${COOKIE}=${session}; Path=/; HttpOnly; SameSite=Strict`,
  }
}

/** Of one length, whatever was given: comparing takes the same time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function cookies(header = ''): [string, string][] {
  return header.split(';').map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()]
  })
}
