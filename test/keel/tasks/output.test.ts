import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvRows } from '../../../src/keel/tasks/csv.ts'
import { createdId, readTasks } from '../../../src/keel/tasks/output.ts'

describe('tasks out of what a program printed', () => {
  it.each<[string, string, unknown]>([
    ['nothing', '', []],
    ['nothing but noise', 'Creating cache\n\n', []],
    ['an empty list', '[]', []],
    ['JSON', '[{"id": 7, "title": "One", "dueDate": "2026-12-01"}]', [{ id: '7', title: 'One', due: '2026-12-01' }]],
    ['JSON with words before and behind', 'Loading…\n[\n {"title": "One"}\n]\nDone in 2 s', [{ title: 'One' }]],
    [
      'JSON in an object, as td prints it',
      '{"results": [{"id": "a", "content": "One", "description": "A note"}], "nextCursor": null}',
      [{ id: 'a', title: 'One' }],
    ],
    ['titles in JSON', '["One", "Two"]', [{ title: 'One' }, { title: 'Two' }]],
    [
      'one object a line',
      'hello\n{"title":"One"}\n{"title":"Two","done":true}\nbye\n{"title":"Three"}',
      [{ title: 'One' }, { title: 'Three' }],
    ],
    [
      'one object',
      '{"title":"One","scheduled":"2026-12-01","project":"home"}',
      [{ title: 'One', scheduled: '2026-12-01', project: 'home' }],
    ],
    ['CSV of Windows', 'ID,TITLE,DONE\r\n1,"One, two",false\r\n2,Three,true\r\n', [{ id: '1', title: 'One, two' }]],
    ['CSV in another order', '"Due Date","Title"\n2026-12-01,One\n,Two', [{ title: 'One', due: '2026-12-01' }, { title: 'Two' }]],
    [
      'CSV with rows that are too long and too short',
      'ID,TITLE\n1,One,more\n2\n3,Three',
      [
        { id: '1', title: 'One' },
        { id: '3', title: 'Three' },
      ],
    ],
    ['CSV whose last quote is never closed', 'ID,TITLE\n1,"One\ntwo', [{ id: '1', title: 'One two' }]],
    ['plain lines', 'One\r\n  Two  \n\nThree', [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }]],
    [
      'plain lines that look like other forms',
      '[draft] One\n{2}\nTitle, author and year',
      [{ title: '[draft] One' }, { title: '{2}' }, { title: 'Title, author and year' }],
    ],
    ['lines with other line ends in them', 'One\rtwo\u2028three\u0085four\n\u0000\r', [{ title: 'One two three four' }]],
    ['a list with boxes', '- [ ] One\n- [x] Two\n* Three\n[ ] Four', [{ title: 'One' }, { title: 'Three' }, { title: 'Four' }]],
    ['coloured lines', '\u001b[1mOne\u001b[0m\n\u001b[31mTwo\u001b[0m', [{ title: 'One' }, { title: 'Two' }]],
    [
      'what is done in many words',
      '[{"title":"A","completed":1},{"title":"B","status":"completed"},{"title":"C","checked":"yes"},{"title":"D","done":""}]',
      [{ title: 'D' }],
    ],
    ['items without a title', '[{"title":""},{"title":null},{"id":"x"},{}]', []],
    ['days that are none', '[{"title":"A","due":"unassigned","day":"2026-02-30","dueDate":null}]', [{ title: 'A' }]],
  ])('are read: %s', async (_what, output, tasks) => {
    expect(await readTasks(output)).toEqual(tasks)
  })

  it.each([
    ['of a JavaScript console', '[\n  {\n    _id: "a",\n    title: "One"\n  }\n]'],
    ['of a JavaScript console on one line', '[ { _id: "a", title: "One" } ]'],
    ['of JSON that is cut off', '[\n  {"title": "One"},\n  {"tit'],
    ['of JSON over many lines that is cut off', '[\n  {\n    "title": "One"\n  },\n  {\n    "tit'],
  ])('are not guessed from objects %s', async (_what, output) => {
    await expect(readTasks(output)).rejects.toThrow('not JSON')
  })

  it('are bounded lines, whatever was printed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.json(),
          fc.string({ unit: fc.constantFrom('"', ',', '\n', '[', '{', '}', ']', 't', 'title', ':', '\r', '\u2028', '- [ ] ') }),
        ),
        async (output) => {
          try {
            for (const { title } of await readTasks(output)) {
              expect(title).toMatch(/^[^\u0000-\u001f\u007f-\u009f]+$/)
              expect([...title].length).toBeLessThanOrEqual(200)
            }
          } catch (error) {
            expect((error as Error).message).toBe('it printed objects that are not JSON')
          }
        },
      ),
    )
  })

  it.each([
    ['spaces', ' ', 0],
    ['line ends', '\n', 0],
    ['opening brackets', '[', 1],
    ['quotes', '"', 1],
    ['headers without tasks', 'id,title\n', 10_000],
    ['lines of one letter', 'y\n', 10_000],
    ['objects, one a line', '{"title":1}\n', 10_000],
    ['beginnings of lists', '[1,\n', 10_000],
  ])('are looked for in time that grows with the output, not with its square: a megabyte of %s', async (_what, text, count) => {
    // What is quadratic takes minutes here, and the test its limit.
    expect(await readTasks(text.repeat((1 << 20) / text.length))).toHaveLength(count)
  })

  it('have the id of a new one in JSON, whatever its shape', async () => {
    expect(await createdId('{"_id": "a", "title": "One"}')).toBe('a')
    expect(await createdId('Created.\n{\n  "id": 12,\n  "title": "One"\n}\n')).toBe('12')
    expect(await createdId('Created task 12.')).toBeUndefined()
  })
})

describe('CSV', () => {
  it('gives back the cells that were written, with quotes, commas and line ends in them', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '\n', '\r', 'ü', '🌳'), maxLength: 8 })
    const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n'),
        (rows, newline) => {
          expect([...csvRows(rows.map((row) => row.map(quoted).join(',') + newline).join(''))]).toEqual(rows)
        },
      ),
    )
  })
})
