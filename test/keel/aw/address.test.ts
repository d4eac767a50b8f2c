import { expect, it } from 'vitest'
import { awAddress } from '../../../src/keel/aw/address.ts'

it.each([
  ['', 'http://localhost:5600', 'http://127.0.0.1:5600'],
  [' http://localhost:5600/ ', 'http://localhost:5600', 'http://127.0.0.1:5600'],
  ['http://LOCALHOST:5600//', 'http://localhost:5600', 'http://127.0.0.1:5600'],
  ['http://localhost:5600/api', 'http://localhost:5600', 'http://127.0.0.1:5600'],
  ['http://localhost:5600/api/0/', 'http://localhost:5600', 'http://127.0.0.1:5600'],
  ['http://localhost', 'http://localhost', 'http://127.0.0.1'],
  ['http://[::1]:5600', 'http://[::1]:5600', 'http://[::1]:5600'],
  ['http://localhost.example:5600', 'http://localhost.example:5600', 'http://localhost.example:5600'],
  ['https://aw.example/deep/aw/api/0?x=1#y', 'https://aw.example/deep/aw', 'https://aw.example/deep/aw'],
])('reads the address %j', (text, shown, base) => {
  expect(awAddress(text)).toMatchObject({ shown, base })
})

it.each([
  ['http://localhost:5600', '5600', true],
  ['http://127.0.0.1', '80', true],
  ['https://[::1]', '443', true],
  ['http://aw.example:5600', '5600', false],
  ['http://aw.localhost:5600', '5600', false],
])('knows the port of %s, and whether it is this machine', (text, port, isLoopback) => {
  expect(awAddress(text)).toMatchObject({ port, isLoopback })
})

it.each(['localhost:5600', 'ftp://localhost', 'nonsense', 'file:///etc/passwd', 'http://', 'http://user:secret@localhost:5600'])(
  'refuses %s, and repeats no password',
  (text) => {
    expect(() => awAddress(text)).toThrow(
      expect.objectContaining({ code: 'invalid_setting', message: expect.not.stringContaining('secret') }),
    )
  },
)
