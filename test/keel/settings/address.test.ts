import { describe, expect, it } from 'vitest'
import { holdsSecret, shownAddress, wholeAddress } from '../../../src/keel/settings/address.ts'
import { changeSettings } from '../../../src/keel/settings/change.ts'
import { complaintsAbout, loadSettings } from '../../../src/keel/settings/load.ts'
import { viewSettings } from '../../../src/keel/settings/show.ts'
import { settingsWorld } from './world.ts'

const SECRET = [
  'http://me:PWSECRET@host/v1',
  'http://PWSECRET@host',
  'https://host/v1?key=PWSECRET',
  'https://host/v1?PWSECRET',
  'http://host/#PWSECRET',
  'me:PWSECRET@host:80/v1',
  'host:80/v1?key=PWSECRET',
]

describe('an address', () => {
  it.each([
    ['localhost:7793', 'http://localhost:7793'],
    ['localhost', 'http://localhost'],
    ['127.0.0.1:1/v1', 'http://127.0.0.1:1/v1'],
    ['[::1]:1', 'http://[::1]:1'],
    ['models.example/v1', 'http://models.example/v1'],
    ['box:11434', 'http://box:11434'],
    ['https://models.example', 'https://models.example'],
    ['nonsense', 'nonsense'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['file:///etc/passwd', 'file:///etc/passwd'],
    ['', ''],
  ])('%j is %j', (given, whole) => {
    expect(wholeAddress(given)).toBe(whole)
  })

  it.each(SECRET)('is shown without what may be secret: %s', (address) => {
    expect(holdsSecret(address)).toBe(true)
    expect(shownAddress(address)).not.toContain('PWSECRET')
    expect(shownAddress(address)).toContain('host')
  })

  it('is shown as it is where nothing of it can be secret', () => {
    for (const address of ['http://localhost:1/v1/', 'nonsense', '']) expect(shownAddress(address)).toBe(address)
  })
})

describe.each(['ai_url', 'aw_url'] as const)('the setting %s', (key) => {
  const change = (value: string) => {
    const { path, system } = settingsWorld()
    return changeSettings(loadSettings(path, system), { [key]: value }, system)
  }

  it.each(SECRET)('is not set on the page to %s, which everybody who reaches it could read', (address) => {
    expect(() => change(address)).toThrow(expect.objectContaining({ key, hint: expect.stringContaining('KEY') }))
  })

  it('is refused where it is no address, whatever it is used for', () => {
    for (const value of ['nonsense', 'javascript:alert(1)', 'ftp://host'])
      expect(() => change(value)).toThrow(expect.objectContaining({ key }))
    expect(change('box:1234').content).toEqual({ [key]: 'http://box:1234' })
    expect(change('').content).toEqual({})
  })

  it.each(SECRET)('shows and logs nothing secret of %s, which its owner has set, and the page leaves it alone', (address) => {
    const { path, system, write } = settingsWorld()
    write({ [key]: address })
    const loaded = loadSettings(path, system)
    const view = viewSettings(loaded).find((setting) => setting.key === key)!
    expect(JSON.stringify([view, complaintsAbout(loaded)])).not.toContain('PWSECRET')
    expect(view.locked).toContain(path)
    expect(() => changeSettings(loaded, { [key]: 'http://other:1' }, system)).toThrow(expect.objectContaining({ key }))
  })
})
