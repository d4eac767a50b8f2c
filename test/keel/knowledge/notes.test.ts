import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkOpened, isNotes, notesPath } from '../../../src/keel/knowledge/notes.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

describe.skipIf(process.platform === 'win32').each(['linux', 'darwin'] as const)('a file of notes that was opened (%s)', (platform) => {
  /** A home with notes and with a secret; `between` happens when the file is open and before it is looked at. */
  async function check(between: (at: (name: string) => string) => void = () => {}): Promise<void> {
    const home = temporaryFolder()
    const at = (name: string): string => join(home, name)
    mkdirSync(at('notes'))
    mkdirSync(at('.keys'))
    writeFileSync(at('.keys/x.md'), 'PRIVATE')
    writeFileSync(at('notes/x.md'), 'run')
    symlinkSync(at('notes'), at('way'))
    await using opened = await open(at('way/x.md'))
    between(at)
    await checkOpened(opened, at('way/x.md'), { home, platform })
  }

  it('is taken where it lies in the home', () => expect(check()).resolves.toBeUndefined())

  it('is none where its name leads into a hidden folder by now', () =>
    expect(
      check((at) => {
        renameSync(at('notes'), at('.notes'))
        renameSync(at('.keys'), at('notes'))
      }),
    ).rejects.toThrow(/leads to|took its name/))

  it('is none where it was opened behind a link that leads elsewhere since', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, '.keys'))
    writeFileSync(join(home, '.keys', 'x.md'), 'PRIVATE')
    symlinkSync(join(home, '.keys', 'x.md'), join(home, 'x.md'))
    await using opened = await open(join(home, 'x.md'))
    writeFileSync(join(home, 'harmless.md'), 'run')
    renameSync(join(home, 'harmless.md'), join(home, 'x.md'))
    await expect(checkOpened(opened, join(home, 'x.md'), { home, platform })).rejects.toThrow(/leads to|took its name/)
  })
})

it('the path of notes is a person’s: from the home, wherever the program was started', () => {
  const system = { home: join(temporaryFolder(), '$&') }
  expect(notesPath(' ~/a.md ', system)).toBe(join(system.home, 'a.md'))
  for (const written of ['a.md', './a.md', '$HOME/a.md', '$' + '{HOME}/a.md'])
    expect(notesPath(written, system)).toBe(join(system.home, 'a.md'))
  for (const written of ['$HOMEX/a.md', '$OTHER/a.md', 'x/$HOME/a.md']) expect(notesPath(written, system)).toBe(join(system.home, written))
  expect(isNotes(join(system.home, 'a.md'), system.home)).toBe(true)
  for (const other of [system.home, `${system.home}x.md`, join(system.home, 'a'), join(system.home, '.a', 'b.md')]) {
    expect(isNotes(other, system.home), other).toBe(false)
  }
})
