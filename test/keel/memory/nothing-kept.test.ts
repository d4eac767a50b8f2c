import { mkdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isIn, made, numbersOf, world } from './world.ts'

describe('a memory that keeps nothing here', () => {
  it('has none while ActivityWatch is away, says so in the words of the plan, and goes over when it comes', async () => {
    const { server, lines, open, numbers } = await world({ isAway: true })
    const memory = open({ file: undefined })
    await memory.record(made(1))
    expect(await memory.latest()).toEqual([])
    expect(memory.state()).toMatchObject({ where: 'none', waiting: 0 })
    expect(lines).toEqual([expect.stringMatching(/^memory: AW unavailable at http:.* \(.*\); running without memory$/)])
    await server.start()
    await isIn(memory, 'activitywatch')
    await memory.record(made(2))
    expect(numbers()).toEqual([2])
    expect(lines.at(-1)).toBe(`memory: keel.events ready at ${server.url}`)
  })

  it('fails a record on which ActivityWatch goes away, so that it can be logged', async () => {
    const { server, open } = await world()
    const memory = open({ file: undefined })
    await isIn(memory, 'activitywatch')
    server.trouble = () => 'drop'
    await expect(memory.record(made(1))).rejects.toMatchObject({ code: 'aw_unreachable' })
    await memory.record(made(2))
    expect(memory.state().where).toBe('none')
  })

  it('stops in the middle of a record that hangs', async () => {
    const { server, open } = await world({ timeLimitMs: 60_000 })
    const memory = open({ file: undefined })
    await isIn(memory, 'activitywatch')
    server.trouble = () => 'hang'
    const recording = memory.record(made(1))
    const end = new AbortController()
    const flushing = memory.flush(end.signal)
    end.abort()
    await flushing
    await Promise.all([expect(recording).rejects.toThrow('keeld stops'), memory.close()])
    expect(memory.state().unsaved).toBe(0)
  })

  it('is what is left where the embedded store cannot be opened, which is said', async () => {
    const { file, lines, open, numbers } = await world()
    mkdirSync(file, { recursive: true })
    const memory = open()
    await memory.record(made(1))
    await memory.flush()
    expect(numbers()).toEqual([1])
    expect(numbersOf(await memory.latest())).toEqual([1])
    expect(lines[0]).toContain(`cannot keep events in ${file}`)
  })
})
