import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { publicAddress } from '../../src/util/public-address.ts'

describe('an address as it is shown', () => {
  it.each([
    ['postgres://me:hunter2@db.example:5432/memory?sslmode=require', 'postgres://db.example:5432/memory?sslmode=require'],
    ['postgres://hunter2@db.example/memory', 'postgres://db.example/memory'],
    ['postgres://me:hun/ter#2@x@db.example/memory', 'postgres://db.example/memory'],
    [
      'postgres://db.example/memory?user=me&password=hunter2&connect_timeout=5',
      'postgres://db.example/memory?user=me&password=…&connect_timeout=5',
    ],
    ["host=db.example password='hunter 2' user=me", 'host=db.example password=… user=me'],
    ['/home/dev/me@work/memory.db', '/home/dev/me@work/memory.db'],
    ['~/.memu/memory.db', '~/.memu/memory.db'],
    [':memory:', ':memory:'],
  ])('of %s is %s', (address, shown) => {
    expect(publicAddress(address)).toBe(shown)
  })

  it('never holds the password, whatever characters it has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(publicAddress(`postgres://me:<${text}>@db/memory`)).toBe('postgres://db/memory')
      }),
    )
  })
})
