import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newTemporaryFolder } from '../../src/util/temporary-folder.ts'

describe('a temporary folder', () => {
  it('is private, and goes with all that is in it, once it is not needed any more or when the process exits', () => {
    const before = process.listenerCount('exit')
    const [first, second] = [newTemporaryFolder('memu-test-'), newTemporaryFolder('memu-test-')]
    if (process.platform !== 'win32') expect(fs.statSync(first.path).mode & 0o777).toBe(0o700)
    fs.mkdirSync(join(second.path, 'a', 'b'), { recursive: true })
    first.remove()
    first.remove()
    expect([fs.existsSync(first.path), fs.existsSync(second.path)]).toEqual([false, true])
    expect(process.listenerCount('exit')).toBe(before + 1)
    // As the process does at its end; nothing else listens that minds.
    const removeAll = process.listeners('exit').at(-1)! as () => void
    removeAll()
    expect(fs.existsSync(second.path)).toBe(false)
    expect(process.listenerCount('exit')).toBe(before)
  })
})
