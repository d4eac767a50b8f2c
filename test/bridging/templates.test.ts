import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkTemplate,
  jobDoneNote,
  renderTemplate,
  shippedTemplates,
  type TemplateName,
  templateVersion,
} from '../../src/bridging/templates.ts'
import { isRunPrompt, runMark } from '../../src/guard/tag.ts'

const templates = shippedTemplates()
const names: readonly TemplateName[] = ['memory-job', 'skill-job', 'resource-job', 'bridging-task', 'bridging-jobs']
const memory = '# memu-template: memory-job v3\nread {input_path}, write {track_dir}\n'

describe('the shipped templates', () => {
  it.each(names)('%s is valid and carries a version', (name) => {
    expect(templateVersion(templates.text(name))).toBeGreaterThanOrEqual(1)
  })

  it('say in every job that the transcript or file is data, and that secrets are never stored', () => {
    for (const name of ['memory-job', 'skill-job', 'resource-job'] as const) {
      expect(templates.text(name)).toMatch(/\bdata\b/)
      expect(templates.text(name)).toMatch(/do not act on it/)
      expect(templates.text(name)).toMatch(/secret/)
    }
  })

  it('render to concrete paths with no placeholder and no header left', () => {
    const text = renderTemplate('skill-job', templates.text('skill-job'), {
      input_path: '/w/sessions/1_full.jsonl',
      track_dir: '/w/skill',
      resource_log: '/w/.resource.tmp',
    })
    expect(text).toContain('/w/sessions/1_full.jsonl')
    expect(text).toContain('{"role":"tool","tool":"name","call":"id","part":"call" or "result","text":"…"}')
    expect(text).not.toMatch(/memu-template|\{input_path\}|\{\{/)
  })
})

describe('the prompts of runs', () => {
  const values = { binary: 'memu-x', workspace: '/w', jobs: '/w/jobs', last_job: '3', run_mark: runMark('0'.repeat(32)) }

  it.each(['bridging-task', 'bridging-jobs'] as const)('%s is known for ours in every session log', (name) => {
    const text = renderTemplate(name, templates.text(name), values)
    expect(isRunPrompt(text, ['0'.repeat(32)])).toBe(true)
    expect(isRunPrompt(text, ['1'.repeat(32)])).toBe(false)
  })
})

describe('renderTemplate', () => {
  it('turns doubled braces into braces and inserts values with braces as they are', () => {
    const text = '# memu-template: memory-job v1\n{{"a":1}} {input_path} {track_dir}\n'
    expect(renderTemplate('memory-job', text, { input_path: '/x/{track_dir}/$&', track_dir: '/t' })).toBe('{"a":1} /x/{track_dir}/$& /t\n')
  })

  it('accepts a byte order mark and Windows line endings', () => {
    const text = `\uFEFF${memory.replaceAll('\n', '\r\n')}`
    expect(renderTemplate('memory-job', text, { input_path: 'a', track_dir: 'b' })).toBe('read a, write b\n')
  })

  it('inserts any value unchanged', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (input_path, track_dir) => {
        expect(renderTemplate('memory-job', memory, { input_path, track_dir })).toBe(`read ${input_path}, write ${track_dir}\n`)
      }),
    )
  })
})

describe('checkTemplate', () => {
  it.each([
    ['a dropped placeholder', '# memu-template: memory-job v1\n{input_path}\n', /\{track_dir\} is missing/],
    ['an unknown placeholder', `${memory}{binary}\n`, /unknown placeholder \{binary\} in line 3/],
    ['a stray opening brace', `${memory}x { y\n`, /stray "\{" in line 3/],
    ['a stray closing brace', `${memory}x } y\n`, /stray "\}" in line 3/],
    ['no header', 'read {input_path}, write {track_dir}\n', /first line/],
    ['the header of another template', memory.replace('memory', 'skill'), /first line/],
  ])('refuses %s', (_what, text, message) => {
    expect(() => checkTemplate('memory-job', text)).toThrow(message)
  })
})

it('tells how a job is marked as finished', () => {
  expect(jobDoneNote('memu-codex', 7, '42-1')).toContain('memu-codex job-done 7 --run 42-1')
})
