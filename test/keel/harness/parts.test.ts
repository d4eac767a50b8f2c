import { describe, expect, it } from 'vitest'
import { newChanges } from '../../../src/keel/harness/changes.ts'
import { newMemorySlot } from '../../../src/keel/harness/memory-slot.ts'
import type { KeelMemory } from '../../../src/keel/memory/store.ts'
import { newAsync } from '../../../src/keel/offscreen/async.ts'
import { newFake } from '../fake-memory.ts'

describe('work in the background', () => {
  it('starts at once, is applied, and is told once after that', async () => {
    const log: string[] = []
    const background = newAsync(() => log.push('notify'))
    const done = background.run(
      async () => {
        log.push('work')
        return 5
      },
      (settled) => log.push(`apply ${JSON.stringify(settled)}`),
    )
    expect(log).toEqual(['work'])
    await done
    expect(log).toEqual(['work', 'apply {"value":5}', 'notify'])
  })

  it('hands an error to who applies it, thrown at once or later', async () => {
    const background = newAsync(() => {})
    const errors: unknown[] = []
    const apply = (settled: object): void => void errors.push('error' in settled && settled.error)
    await background.run(() => Promise.reject('later'), apply)
    await background.run(() => {
      throw 'at once'
    }, apply)
    expect(errors).toEqual(['later', 'at once'])
  })

  it('is told and over also where applying or telling throws', async () => {
    let told = 0
    const background = newAsync(() => {
      told++
      throw new Error('nobody listens')
    })
    await background.run(
      async () => {},
      () => {
        throw new Error('the log is full')
      },
    )
    await background.idle()
    expect(told).toBe(1)
  })

  it('is idle when what was started by other work is over, too', async () => {
    const background = newAsync(() => {})
    let isOver = false
    void background.run(
      async () => {},
      () => {
        void background.run(
          () => new Promise<void>((resolve) => setImmediate(resolve)),
          () => {
            isOver = true
          },
        )
      },
    )
    await background.idle()
    expect(isOver).toBe(true)
  })
})

describe('changes', () => {
  it('are counted and told to everybody until they have heard enough, whatever another one throws', () => {
    const errors: unknown[] = []
    const changes = newChanges((error) => errors.push(error))
    let heard = 0
    const stop = changes.subscribe(() => heard++)
    changes.subscribe(() => {
      throw new Error('deaf')
    })
    const stopThis = changes.subscribe(() => {
      heard += 10
      stopThis()
    })
    changes.notify()
    changes.notify()
    stop()
    stop()
    changes.notify()
    expect(heard).toBe(12)
    expect(changes.count).toBe(3)
    expect(errors).toHaveLength(3)
  })

  it('know two listeners that are one function apart', () => {
    const changes = newChanges(() => {})
    let heard = 0
    const listener = (): void => void heard++
    const stop = changes.subscribe(listener)
    changes.subscribe(listener)
    stop()
    changes.notify()
    expect(heard).toBe(1)
  })
})

describe('the memory of a daemon', () => {
  function memory(name: string, log: string[], close: Promise<void> = Promise.resolve()): KeelMemory {
    return {
      ...newFake(),
      record: async ({ kind }) => void log.push(`${name} ${kind}`),
      state: () => ({ where: 'embedded', url: name, since: new Date(0), waiting: 0, unsaved: 0 }),
      flush: async () => {},
      close: async () => {
        await close
        log.push(`${name} closed`)
      },
    }
  }

  it('closes the one before the other is opened, and loses nothing in between', async () => {
    const log: string[] = []
    let close = (): void => {}
    const closing = new Promise<void>((resolve) => {
      close = resolve
    })
    const slot = newMemorySlot(memory('a', log, closing))
    const event = (kind: string) => ({ kind, at: new Date(0), data: {} })
    await slot.record(event('first'))
    const replaced = slot.replace(() => {
      log.push('b opened')
      return memory('b', log)
    })
    const recorded = slot.record(event('second'))
    expect(slot.state().url).toBe('a')
    close()
    await Promise.all([replaced, recorded])
    expect(log).toEqual(['a first', 'a closed', 'b opened', 'b second'])
    expect(slot.state().url).toBe('b')
    await slot.close()
    expect(log.at(-1)).toBe('b closed')
  })
})
