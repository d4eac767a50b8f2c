import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFileSource } from '../../../src/keel/knowledge/file.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

const { signal } = new AbortController()

function source(path?: string) {
  const home = temporaryFolder()
  const lines: string[] = []
  const file = path ?? join(home, 'goals.md')
  const { text } = newFileSource(file, { home, cwd: home }, (line) => lines.push(line))
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
    expect(await newFileSource(file, { home, cwd: home }).text(AbortSignal.abort())).toBe('')
  })
})
