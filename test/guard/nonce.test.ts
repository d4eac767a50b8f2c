import * as fs from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { knownNonces, noncePath, ownNonce } from '../../src/guard/nonce.ts'
import { program, run } from '../helpers/programs.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

let home: string
beforeEach(() => {
  home = temporaryFolder()
})

describe('the nonce of an installation', () => {
  it('is made once, private to the user, and is the same from then on', () => {
    expect(knownNonces(home)).toEqual([])
    const nonce = ownNonce(home)
    expect(nonce).toMatch(/^[0-9a-f]{32}$/)
    expect(ownNonce(home)).toBe(nonce)
    expect(knownNonces(home)).toEqual([nonce])
    if (process.platform !== 'win32') {
      expect(fs.statSync(noncePath(home)).mode & 0o777).toBe(0o600)
      expect(fs.statSync(join(home, '.memu')).mode & 0o777).toBe(0o700)
    }
    expect(fs.readdirSync(join(home, '.memu'))).toEqual(['nonce'])
  })

  it('recognises the lines that the user added and wraps with the first', () => {
    const own = ownNonce(home)
    fs.appendFileSync(noncePath(home), `${'a'.repeat(32)}\r\n# my laptop\nnot a nonce\n`)
    expect(knownNonces(home)).toEqual([own, 'a'.repeat(32)])
    expect(ownNonce(home)).toBe(own)
  })

  it('replaces a damaged file', () => {
    fs.mkdirSync(join(home, '.memu'))
    fs.writeFileSync(noncePath(home), '')
    expect(knownNonces(home)).toEqual([])
    const nonce = ownNonce(home)
    expect(knownNonces(home)).toEqual([nonce])
  })

  it('is one for all programs that make it at the same moment', async () => {
    const file = await program('nonce-program')
    const ended = await Promise.all(Array.from({ length: 6 }, () => run(process.execPath, [file, home]).ended))
    const made = ended.map(({ stdout }) => stdout)
    expect(new Set(made).size).toBe(1)
    expect(made[0]).toBe(ownNonce(home))
  })
})
