import { describe, expect, it } from 'vitest'
import { describe as described, exitCode } from '../../src/cli/failure.ts'
import type { Io } from '../../src/cli/io.ts'
import { progressBar } from '../../src/cli/progress-bar.ts'
import { MemuError } from '../../src/util/errors.ts'
import { printable } from '../../src/util/printable.ts'

describe('printing an error', () => {
  const refused = new MemuError('refused', 'It is refused.', { hint: 'Do it so.', exit: 2, cause: new Error('a path of the user') })

  it('gives people the message and the next step, and programs one JSON object', () => {
    expect(described(refused, false)).toBe('error: It is refused.\n  Do it so.\n')
    expect(described(refused, true)).toBe('{"error":{"code":"refused","message":"It is refused.","hint":"Do it so."}}\n')
    expect(described(new MemuError('x', 'Short.'), false)).toBe('error: Short.\n')
  })

  it('shows a stack only where it is asked for', () => {
    expect(described(new TypeError('x is not a function'), false)).toMatch(/^error: x is not a function\n {2}.*MEMU_DEBUG=1.*\n$/)
    expect(described(new TypeError('x is not a function'), false, true)).toContain('run.test.ts')
    expect(described('thrown text', true)).toContain('"code":"unexpected"')
  })

  it('does not call a refusal of the operating system a fault of its own', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
    expect(described(full, false)).toMatch(/^error: Cannot write a file: the disk is full \(ENOSPC\)\.\n {2}Free some space/)
    expect(described(full, true)).toContain('"code":"disk_full"')
    expect(exitCode(full)).toBe(1)
  })

  it('lets no control character of a path or a message reach the terminal', () => {
    const hostile = new MemuError('x', 'Cannot read \u001b]0;title\u0007\u001b[2Jnotes.', { hint: 'Remove \u009b31m.\nDone.' })
    expect(described(hostile, false)).toBe('error: Cannot read ]0;title [2Jnotes.\n  Remove 31m. Done.\n')
    const stack = described(Object.assign(new Error('x'), { stack: 'Error: x\u001b[2J\n    at y' }), false, true)
    expect(stack.split('\n').slice(2)).toEqual(['Error: x [2J', '    at y', ''])
  })

  it('maps to the exit codes', () => {
    expect(exitCode(refused)).toBe(2)
    expect(exitCode(new MemuError('x', 'y'))).toBe(1)
    expect(exitCode(new Error('x'))).toBe(1)
    expect(exitCode(new MemuError('interrupted', 'Interrupted.'))).toBe(130)
    expect(exitCode(new DOMException('aborted', 'AbortError'))).toBe(130)
    // A broken pipe to somebody else, a child process or a server, is a failure like any other.
    expect(exitCode(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toBe(1)
  })
})

describe('the progress bar', () => {
  const io = (interactive: boolean): { io: Io; text: () => string } => {
    let text = ''
    return { io: { interactive: () => interactive, err: (more: string) => (text += more) } as unknown as Io, text: () => text }
  }

  it('shows how far it is to who watches, and leaves an empty line', () => {
    const watched = io(true)
    const bar = progressBar(watched.io, 'embedding')
    bar.update(50, 100)
    expect(watched.text()).toContain(`${'█'.repeat(15)}${'░'.repeat(15)} 50/100`)
    bar.update(0, 0)
    bar.end()
    bar.end()
    expect(watched.text().endsWith('0/0\r\u001b[2K')).toBe(true)
  })

  it('writes nothing where nobody watches', () => {
    const unwatched = io(false)
    const bar = progressBar(unwatched.io, 'embedding')
    bar.update(50, 100)
    bar.end()
    expect(unwatched.text()).toBe('')
  })
})

describe('stored text on a terminal', () => {
  it('is one line without control characters or marks that turn the direction of writing', () => {
    expect(printable(' a\r\n\tb\u001b[31m\u0000\u202Ec\u2028 ')).toBe('a b [31m c')
    expect(printable('日本語 👩‍💻 é')).toBe('日本語 👩‍💻 é')
  })
})
