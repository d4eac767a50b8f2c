/**
 * A daemon that others reach asks for a token: as a bearer, or once on a page, which leaves a cookie. The cookie says nothing of the token
 * and is worth nothing once the daemon has ended. A browser sends it to every server of this host name, whatever its port.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export interface TokenCheck {
  matches(token: string): boolean
  /** Whether a request with these headers may pass. */
  admits(headers: { readonly authorization?: string | undefined; readonly cookie?: string | undefined }): boolean
  /** For `Set-Cookie`, each time another one. */
  newSession(): string
}

const COOKIE = 'keel_session'
/** Browsers that may be in at once: of one more, the first has to enter the token again. */
const MOST_SESSIONS = 64

/** Compares in a time that says nothing of the token. Sessions are of this object alone. */
export function tokenCheck(token: string): TokenCheck {
  const wanted = digest(token)
  /** What is kept of each, oldest first. */
  const sessions = new Set<string>()
  const matches = (given: string): boolean => timingSafeEqual(digest(given), wanted)
  return {
    matches,
    admits({ authorization, cookie }) {
      const bearer = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
      if (bearer !== undefined) return matches(bearer)
      return cookies(cookie).some(([name, value]) => name === COOKIE && sessions.has(kept(value)))
    },
    newSession() {
      const session = randomBytes(32).toString('base64url')
      sessions.add(kept(session))
      if (sessions.size > MOST_SESSIONS) sessions.delete(sessions.values().next().value!)
      return `${COOKIE}=${session}; Path=/; HttpOnly; SameSite=Strict`
    },
  }
}

/** How long a look among these takes says nothing of the session itself. */
function kept(session: string): string {
  return digest(session).toString('base64url')
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
