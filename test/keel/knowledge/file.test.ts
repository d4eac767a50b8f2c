import { execFileSync } from 'node:child_process'
import { appendFileSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFileSource } from '../../../src/keel/knowledge/file.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

const { signal } = new AbortController()

function source(path?: string, isTrusted = false) {
  const home = temporaryFolder()
  const lines: string[] = []
  const file = path ?? join(home, 'goals.md')
  const { text } = newFileSource(file, { home }, { log: (line) => lines.push(line), isTrusted })
  return { home, file, lines, text: () => text(signal) }
}

describe('the file with goals', () => {
  it('is read as it is, and its headings lie below those of a brief', async () => {
    const { file, text } = source()
    writeFileSync(file, '\ufeff# Goals\r\n\r\n## Recently proposed\r\n- run\u0007 a \u202emarathon\r\n#hashtag\r\n###### deep\r\n')
    expect(await text()).toBe('### Goals\n\n#### Recently proposed\n- run a marathon\n#hashtag\n###### deep')
  })

  it('is read anew when it was written, and when another one took its name', async () => {
    const { home, file, text, lines } = source()
    writeFileSync(file, 'one')
    expect(await text()).toBe('one')
    appendFileSync(file, ' two')
    expect(await text()).toBe('one two')
    // Of the same size and time, as a careful editor may leave it.
    writeFileSync(join(home, 'new'), 'ONE TWO')
    utimesSync(join(home, 'new'), new Date(0), new Date(0))
    utimesSync(file, new Date(0), new Date(0))
    await text()
    renameSync(join(home, 'new'), file)
    expect(await text()).toBe('ONE TWO')
    expect(lines).toEqual([])
  })

  it('is not opened where it has a second name, unless its owner wrote where it is', async () => {
    const { home, file, text, lines } = source()
    writeFileSync(join(home, 'secret'), 'secret')
    linkSync(join(home, 'secret'), file)
    expect(await text()).toBe('')
    expect(lines).toEqual([expect.stringContaining('(it has a second name (a hard link), which may be no notes)')])
    expect(await source(file, true).text()).toBe('secret')
  })

  it('may be missing: that is said once, and again when it was there in between', async () => {
    const { file, text, lines } = source()
    const missing = `knowledge: cannot read ${file} (there is no such file); going on without goals`
    expect([await text(), await text()]).toEqual(['', ''])
    expect(lines).toEqual([missing])
    writeFileSync(file, 'run')
    expect(await text()).toBe('run')
    rmSync(file)
    expect(await text()).toBe('')
    expect(lines).toEqual([missing, missing])
  })

  it('may be named from home, from the working directory, or not at all', async () => {
    for (const path of ['~/goals.md', 'goals.md']) {
      const { home, text } = source(path)
      writeFileSync(join(home, 'goals.md'), path)
      expect(await text()).toBe(path)
    }
    const { text, lines } = source(' ')
    expect(await text()).toBe('')
    expect(lines).toEqual([])
  })

  it('is followed where it is a link', async () => {
    const { home, file, text } = source()
    writeFileSync(join(home, 'real.md'), 'run')
    symlinkSync(join(home, 'real.md'), file)
    expect(await text()).toBe('run')
  })

  it.skipIf(process.platform === 'win32')(
    'is not followed out of the home, or into a hidden folder, where the page may have named it',
    async () => {
      const { home, file, text, lines } = source()
      const elsewhere = join(temporaryFolder(), 'private.md')
      const hidden = join(home, '.keys', 'private.md')
      mkdirSync(join(home, '.keys'))
      for (const target of [elsewhere, hidden]) {
        writeFileSync(target, 'PRIVATE')
        symlinkSync(target, file)
        expect(await text()).toBe('')
        expect(lines.pop()).toContain(`it leads to ${target}, which the page may not show`)
        rmSync(file)
      }
      writeFileSync(file, 'run')
      expect(await text()).toBe('run')
      rmSync(file)
      symlinkSync(hidden, file)
      expect(await text(), 'a link that came later').toBe('')
    },
  )

  it.skipIf(process.platform === 'win32')('is not followed through a folder that is a link out of the home', async () => {
    const home = temporaryFolder()
    const elsewhere = temporaryFolder()
    writeFileSync(join(elsewhere, 'x.md'), 'PRIVATE')
    symlinkSync(elsewhere, join(home, 'keys'))
    const { text } = newFileSource('~/keys/x.md', { home })
    expect(await text(signal)).toBe('')
  })

  it.skipIf(process.platform === 'win32')(
    'leads anywhere where the environment names it, or where it is no path that the page may set',
    async () => {
      const { home, file, text } = source(undefined, true)
      const hidden = join(home, '.notes.md')
      writeFileSync(hidden, 'mine')
      symlinkSync(hidden, file)
      expect(await text()).toBe('mine')
      expect(await newFileSource(hidden, { home }).text(signal)).toBe('mine')
    },
  )

  it.skipIf(process.platform === 'win32')('lies in a home that is a link itself', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, 'real'))
    symlinkSync(join(home, 'real'), join(home, 'user'))
    writeFileSync(join(home, 'real', 'goals.md'), 'run')
    expect(await newFileSource('~/goals.md', { home: join(home, 'user') }).text(signal)).toBe('run')
  })

  it('may be UTF-16, with a mark of it or without', async () => {
    const { file, text } = source()
    const little = Buffer.from('# Ziele\r\nüben\r\n', 'utf16le')
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      writeFileSync(file, bytes)
      expect(await text()).toBe('### Ziele\nüben')
      writeFileSync(file, Buffer.concat([bytes === little ? Buffer.from([0xff, 0xfe]) : Buffer.from([0xfe, 0xff]), bytes]))
      expect(await text()).toBe('### Ziele\nüben')
    }
    writeFileSync(file, Buffer.from(`\ufeff${'散歩に行く\n'.repeat(10_000)}`, 'utf16le'))
    expect(await text()).toMatch(/^(?:散歩に行く\n)+散歩に行く$/)
  })

  it('is no folder', async () => {
    const { file, text, lines } = source()
    mkdirSync(file)
    expect(await text()).toBe('')
    expect(lines).toEqual([expect.stringMatching(/\((?:it is a folder|EISDIR.*)\); going on/)])
  })

  it.skipIf(process.platform === 'win32')('is no pipe and no device: nobody waits for either', async () => {
    const pipe = source()
    execFileSync('mkfifo', [pipe.file])
    const device = source('/dev/zero')
    for (const { text, lines } of [pipe, device]) {
      expect(await text()).toBe('')
      expect(lines).toEqual([expect.stringContaining('(it is a pipe or a device, not a file)')])
    }
  })

  it('is read up to 32 KiB, at the end of a line', async () => {
    const { file, text } = source()
    writeFileSync(file, `${'ä'.repeat(49)}\n`.repeat(1_000))
    // 99 bytes a line.
    expect(await text()).toBe(`${'ä'.repeat(49)}\n`.repeat(330).trim())
    writeFileSync(file, `x${'ä'.repeat(40_000)}`)
    expect(await text()).toBe(`x${'ä'.repeat(16_383)}`)
    writeFileSync(file, `${'y'.repeat(32_767)}\n`)
    expect(await text()).toBe('y'.repeat(32_767))
  })

  it('may hold bytes that are no text', async () => {
    const { file, text } = source()
    writeFileSync(file, Buffer.from([0x72, 0xff, 0x00, 0x75, 0x6e]))
    expect(await text()).toBe('r\ufffdun')
  })

  it('is not waited for after a cancel', async () => {
    const { file, home } = source()
    writeFileSync(file, 'run')
    expect(await newFileSource(file, { home }).text(AbortSignal.abort())).toBe('')
  })
})
