import { describe, expect, it } from 'vitest'
import { badText } from '../../src/host-cli/verbs/prepare.ts'

describe('what prepare says of records that it skipped', () => {
  it.each([
    [{ firstOffset: 15 }, ', the first at byte 15'],
    [{ firstRecord: 4 }, ', the first is record 4'],
    [{}, ''],
  ])('names the session, since those of a database share a path, and the place of the first: %j', (where, words) => {
    const bad = { path: '/home/dev/agent.sqlite', session: 'main/7', count: 3, reason: 'not JSON', ...where }
    expect(badText(bad)).toBe(`Records skipped in the session main/7 of /home/dev/agent.sqlite: 3${words} (not JSON).`)
  })

  it('lets no text of a log steer the terminal', () => {
    expect(badText({ path: '/a\u001b[2J', session: 's\n1', count: 1, reason: '\u0007' })).not.toMatch(/[\u0000-\u001f]/)
  })
})
