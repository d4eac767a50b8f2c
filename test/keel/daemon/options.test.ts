import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DaemonOptions, readOptions } from '../../../src/keel/daemon/options.ts'

const LOOPBACK = ['127.0.0.1', '::1']
const TOKEN = 'sixteen-or-more-characters'

function read(args: readonly string[] = [], env: Record<string, string> = {}): DaemonOptions {
  const asked = readOptions(args, env)
  if (!('run' in asked)) throw new Error('it would not run')
  return asked.run
}

describe('readOptions', () => {
  it('listens on this machine alone, on port 7777', () => {
    expect(read()).toEqual({ hosts: LOOPBACK, port: 7777, names: [], demo: false, open: false })
  })

  it.each([
    ['7001', LOOPBACK, 7001],
    [':7001', LOOPBACK, 7001],
    ['localhost:7001', LOOPBACK, 7001],
    ['LOCALHOST', LOOPBACK, 7777],
    ['127.0.0.1:7001', ['127.0.0.1'], 7001],
    ['[::1]:7001', ['::1'], 7001],
    ['[::1]', ['::1'], 7777],
    [' localhost:0 ', LOOPBACK, 0],
  ])('reads KEEL_ADDR=%s', (address, hosts, port) => {
    expect(read([], { KEEL_ADDR: address })).toMatchObject({ hosts, port })
  })

  it('takes the port of --port before that of KEEL_ADDR', () => {
    expect(read(['--port', '0'], { KEEL_ADDR: '127.0.0.1:7001' })).toMatchObject({ hosts: ['127.0.0.1'], port: 0 })
  })

  it.each(['x:y', 'a:b:c', '::1', '[::1', 'localhost:99999', 'http://localhost:7777', '[localhost]'])('refuses KEEL_ADDR=%s', (address) => {
    expect(() => read([], { KEEL_ADDR: address })).toThrow(expect.objectContaining({ code: 'usage', exit: 2, hint: expect.any(String) }))
  })

  it.each(['65536', '-1', '1.5', 'x', '', '1e3'])('refuses --port=%s', (port) => {
    expect(() => read([`--port=${port}`])).toThrow(expect.objectContaining({ code: 'usage', exit: 2 }))
  })

  it('never listens where other machines reach it without both the flag and a token', () => {
    for (const address of ['0.0.0.0:7777', '[::]:7777', '192.168.1.5', 'keel.example:80']) {
      const env = { KEEL_ADDR: address }
      expect(() => read([], env)).toThrow('other machines')
      expect(() => read([], { ...env, KEEL_TOKEN: TOKEN })).toThrow('other machines')
      expect(() => read(['--allow-remote'], env)).toThrow('KEEL_TOKEN')
      expect(() => read(['--allow-remote'], { ...env, KEEL_TOKEN: 'short' })).toThrow('KEEL_TOKEN')
      expect(read(['--allow-remote'], { ...env, KEEL_TOKEN: TOKEN })).toMatchObject({ token: TOKEN })
    }
  })

  it('goes by the address that it listens on, and by the names that it was given', () => {
    const env = { KEEL_ADDR: '192.168.1.5:80', KEEL_TOKEN: TOKEN, KEEL_ALLOWED_HOSTS: 'Keel.Example, [fe80::1]:8080,' }
    expect(read(['--allow-remote'], env).names).toEqual(['192.168.1.5', 'keel.example', '[fe80::1]'])
    expect(read(['--allow-remote'], { KEEL_ADDR: '0.0.0.0', KEEL_TOKEN: TOKEN }).names).toEqual([])
    expect(() => read([], { KEEL_ALLOWED_HOSTS: 'a b', KEEL_TOKEN: TOKEN })).toThrow('KEEL_ALLOWED_HOSTS')
  })

  it('goes by another name only with a token: whoever reaches that name reaches the page', () => {
    const env = { KEEL_ALLOWED_HOSTS: 'keel.example' }
    for (const token of [{}, { KEEL_TOKEN: 'short' }, { KEEL_TOKEN: ' '.repeat(20) }]) {
      expect(() => read([], { ...env, ...token })).toThrow(
        expect.objectContaining({ code: 'usage', message: expect.stringContaining('KEEL_ALLOWED_HOSTS needs') }),
      )
    }
    expect(read([], { ...env, KEEL_TOKEN: TOKEN })).toMatchObject({ names: ['keel.example'], token: TOKEN })
    expect(read([], { KEEL_ALLOWED_HOSTS: ' , ' }).names).toEqual([])
  })

  it('takes a token without what a shell or a file left around it, and refuses one that nobody could send', () => {
    for (const around of ['mine\r', ' mine ', '\tmine\n']) expect(read([], { KEEL_TOKEN: around })).toMatchObject({ token: 'mine' })
    expect(read([], { KEEL_TOKEN: ' \r\n' })).not.toHaveProperty('token')
    expect(read([], { KEEL_TOKEN: 'aGVsbG8+/w==' })).toMatchObject({ token: 'aGVsbG8+/w==' })
    for (const odd of ['two words', 'schlüssel', 'a"b', '=a', 'a,b']) {
      expect(() => read([], { KEEL_TOKEN: odd })).toThrow(
        expect.objectContaining({
          code: 'usage',
          exit: 2,
          message: expect.not.stringContaining(odd),
          hint: expect.stringContaining('openssl'),
        }),
      )
    }
  })

  it('asks for a token on this machine too where one is set', () => {
    expect(read([], { KEEL_TOKEN: 'mine' })).toMatchObject({ hosts: LOOPBACK, token: 'mine' })
  })

  it('refuses what it does not know, in a sentence that repeats no secret of the environment', () => {
    for (const args of [['--prot', '1'], ['serve'], ['--demo=yes'], ['--port']]) {
      expect(() => read(args, { KEEL_TOKEN: TOKEN })).toThrow(
        expect.objectContaining({ code: 'usage', exit: 2, message: expect.stringMatching(/^[^\n]*[^.]\.$/) }),
      )
    }
  })

  it('fails on an address only as a wrong use, and listens elsewhere only when it was told to', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (address) => {
        try {
          for (const host of read([], { KEEL_ADDR: address }).hosts) expect(LOOPBACK).toContain(host)
        } catch (error) {
          expect(error).toMatchObject({ code: 'usage', exit: 2 })
        }
      }),
    )
  })
})
