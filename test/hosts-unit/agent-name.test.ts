import { describe, expect, it } from 'vitest'
import { agentName } from '../../src/hosts/agent/name.ts'

describe('the name of an agent without a program of its own', () => {
  it.each([
    ['/home/u/.weasel/sessions', 'weasel'],
    ['/home/u/.weasel', 'weasel'],
    ['/home/u/.Some_Agent/x/.hidden', 'some-agent'],
    ['/home/u/work/shop/.weasel/log', 'weasel'],
    ['/home/u/.config/weasel/log', 'weasel'],
    ['/home/u/.local/share/weasel', 'weasel'],
    ['/srv/.weasel/sessions', 'weasel'],
    ['/home/u/logs', undefined],
    ['/home/u/.config', undefined],
    ['/home/u', undefined],
    ['/srv/logs', undefined],
  ])('of %s is %s', (directory, name) => {
    expect(agentName(directory, '/home/u')).toBe(name)
  })

  it('does not depend on hidden folders above the home', () => {
    expect(agentName('/data/.homes/u/logs', '/data/.homes/u')).toBeUndefined()
  })
})
