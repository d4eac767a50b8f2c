import { describe, expect, it } from 'vitest'
import { newService } from '../../../src/keel/ai/service.ts'
import { MemuError } from '../../../src/util/errors.ts'
import { answered, fakeBackend } from './fake-backend.ts'

const { signal } = new AbortController()

/** Ends only when it is told to. */
const hanging = (signal: AbortSignal) => new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

describe('a proposal', () => {
  it('comes of one question, where the answer is right', async () => {
    const backend = fakeBackend(answered('call mum', 'she would like it'))
    const service = newService(backend)
    expect(service.name).toBe('fake')
    expect(await service.propose('- call mum', { exclude: ['walk'], signal })).toEqual({
      nextAction: 'call mum',
      rationale: 'she would like it',
    })
    expect(backend.prompts).toHaveLength(1)
    expect(backend.prompts[0]).toContain('<brief>\n- call mum\n</brief>')
    expect(backend.prompts[0]).toContain('- "walk"')
  })

  it('is repaired once, with what is wrong in the second question', async () => {
    const backend = fakeBackend('Go for a walk!', answered('walk'))
    expect(await newService(backend).propose('brief', { signal })).toMatchObject({ nextAction: 'walk' })
    expect(backend.prompts).toHaveLength(2)
    expect(backend.prompts[1]).toContain('the answer holds no JSON object')
    expect(backend.prompts[1]).toContain('Go for a walk!')
  })

  it('is not asked for a third time, and the error is one short sentence', async () => {
    const backend = fakeBackend(answered('x'.repeat(300)))
    const error = await newService(backend)
      .propose('brief', { signal })
      .catch((thrown) => thrown)
    expect(error).toMatchObject({
      code: 'ai_no_proposal',
      message: 'fake gave no proposal that can be used: "next_action" has 300 characters, and may have 200.',
    })
    expect(error.hint).toBeDefined()
    expect(backend.prompts).toHaveLength(2)
  })
})

describe('what goes wrong', () => {
  it('in a backend comes out as it is', async () => {
    const error = new MemuError('ai_unavailable', 'claude was not found')
    await expect(newService(fakeBackend(error)).propose('brief', { signal })).rejects.toBe(error)
  })

  it('without a code gets one', async () => {
    await expect(newService(fakeBackend(new Error('odd'))).propose('brief', { signal })).rejects.toMatchObject({
      code: 'ai_failed',
      message: 'fake failed: odd',
    })
  })

  it('in time is a timeout, over both questions together', async () => {
    const backend = fakeBackend('no JSON', hanging)
    await expect(newService(backend, { timeLimitMs: 30 }).propose('brief', { signal })).rejects.toMatchObject({ code: 'ai_timeout' })
    expect(backend.prompts).toHaveLength(2)
  })

  it('is the reason of the caller, where the caller has given up', async () => {
    const controller = new AbortController()
    const proposal = newService(fakeBackend(hanging)).propose('brief', { signal: controller.signal })
    controller.abort(new Error('dismissed'))
    await expect(proposal).rejects.toThrow('dismissed')
  })

  it('is not asked about again after a cancel', async () => {
    const controller = new AbortController()
    const backend = fakeBackend(async () => {
      controller.abort(new Error('dismissed'))
      return 'no JSON'
    })
    await expect(newService(backend).propose('brief', { signal: controller.signal })).rejects.toThrow('dismissed')
    expect(backend.prompts).toHaveLength(1)
    await expect(newService(backend).propose('brief', { signal: controller.signal })).rejects.toThrow('dismissed')
    expect(backend.prompts).toHaveLength(1)
  })
})
