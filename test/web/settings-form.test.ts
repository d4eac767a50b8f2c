/** The settings as a form without a script: what is sent, what is saved, and what the page says then. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from '../keel/server/server.ts'

let at: TestServer
beforeEach(async () => {
  at = await testServer()
})
afterEach(() => at.end())

describe('The form of the settings', () => {
  it('leads to a page that says that they were saved', async () => {
    const saved = await at.form('/settings', { ai_model: 'small' })
    const page = await at.ask('GET', saved.headers.location ?? '')
    expect(page.body).toContain('<p role="status" data-saved>Saved.</p>')
    expect(page.body).toContain('<title>Saved: Settings – Keel</title>')
    expect((await at.ask('GET', '/settings')).body).not.toContain('Saved')
  })

  it('leaves alone what another page changed since this one was made, and what was not touched here', async () => {
    await at.form('/settings', { ai_backend: 'ollama', 'was:ai_backend': 'builtin', ai_model: '', 'was:ai_model': '' })
    // Made before that, and so it still has the old one.
    await at.form('/settings', { ai_backend: 'builtin', 'was:ai_backend': 'builtin', ai_model: 'small', 'was:ai_model': '' })
    expect(at.app.changes).toEqual([{ ai_backend: 'ollama' }, { ai_model: 'small' }])
  })

  it('shows at the field what is wrong with it, what was typed, and what it was', async () => {
    const page = await at.form('/settings', { ai_backend: 'wrong', 'was:ai_backend': 'builtin', ai_model: '', 'was:ai_model': '' })
    expect(page.body).toMatch(/name="ai_backend"[^>]*aria-invalid="true" autofocus/)
    expect(page.body).toContain('<option value="wrong" selected>')
    expect(page.body).toContain('name="was:ai_backend" value="builtin"')
    expect(page.body).toMatch(/data-wrong="ai_backend">“Proposals from” cannot be/)
    expect(page.body).toContain('<title>Not saved: Settings – Keel</title>')
    expect(page.body.match(/aria-invalid/g)).toHaveLength(1)
    expect(page.body).toMatch(/role="alert" id="error" hidden/)
  })

  it('says above the form what is wrong with something that has no field', async () => {
    const page = await at.form('/settings', { ai_key: 'x' })
    expect(page.status).toBe(400)
    expect(page.body).toMatch(/role="alert" id="error" data-part="error">/)
    expect(at.app.changes).toEqual([])
  })
})
