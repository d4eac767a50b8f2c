import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argvSecrets, splitCommand } from '../../../src/keel/tasks/argv.ts'

const POSIX = { home: '/home/me', platform: 'linux' } as const
const WINDOWS = { home: 'C:\\Users\\me', platform: 'win32' } as const

describe('the words of a command', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['  marvin\t--desktop \n', ['marvin', '--desktop']],
    [`"/opt/my tools/marvin" --name 'it''s' "a \\"b\\" \\$c"`, ['/opt/my tools/marvin', '--name', 'its', 'a "b" $c']],
    [`a\\ b "" '' c`, ['a b', '', '', 'c']],
    ['~/bin/marvin ~ ~other/x a~/b "~/c"', ['/home/me/bin/marvin', '/home/me', '~other/x', 'a~/b', '~/c']],
    [
      'echo $HOME $(id) `id` *.txt; rm -rf x | y > z && w',
      ['echo', '$HOME', '$(id)', '`id`', '*.txt;', 'rm', '-rf', 'x', '|', 'y', '>', 'z', '&&', 'w'],
    ],
  ])('are split as a shell splits them, and nothing is run: %j', (command, argv) => {
    expect(splitCommand(command, POSIX)).toEqual(argv)
  })

  it('keep the backslashes of a path on Windows', () => {
    expect(splitCommand('"C:\\Program Files\\marvin.exe" C:\\x\\y ~\\z', WINDOWS)).toEqual([
      'C:\\Program Files\\marvin.exe',
      'C:\\x\\y',
      'C:\\Users\\me\\z',
    ])
  })

  it.each(['marvin "open', "marvin 'open"])('must have their quotes closed: %s', (command) => {
    expect(() => splitCommand(command, POSIX)).toThrow('not closed')
  })

  it('are those that were quoted one by one', () => {
    const quoted = (word: string): string => `'${word.replaceAll("'", `'"'"'`)}'`
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        expect(splitCommand(words.map(quoted).join(' '), POSIX)).toEqual(words)
      }),
    )
  })

  it.skipIf(process.platform === 'win32')('are those that a real shell gives its program', () => {
    const part = fc.constantFrom('a', ' ', "'", '"', '\\', 'b', '\\ ', '""', '\t')
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 10 }).map((parts) => parts.join('')),
        (command) => {
          let expected: string[] | undefined
          try {
            const script = `for word in ${command}\n do printf '%s\\0' "$word"; done`
            expected = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
              .split('\0')
              .slice(0, -1)
          } catch {
            // A quote that is not closed, or a backslash that takes the line end with it.
          }
          fc.pre(!command.endsWith('\\'))
          if (expected === undefined) expect(() => splitCommand(command, POSIX)).toThrow()
          else expect(splitCommand(command, POSIX)).toEqual(expected)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('what may be a secret in a command', () => {
  it('is every argument but names of options, paths and what is too short', () => {
    const argv = ['marvin', '--api-token', 'one-two', '--PASSWORD=three', '-p=fourth', '-pfifth', '-k', 'on', 'NAME=sixth', '--desktop']
    const paths = ['/home/me/marvin.js', './add', '~/bin/x', 'C:\\tools\\add', 'marvin.mjs']
    expect(argvSecrets([...argv, ...paths])).toEqual(['one-two', 'three', 'fourth', 'fifth', 'sixth'])
    expect(argvSecrets(['hunter2222'])).toEqual([])
    expect(argvSecrets(['marvin', '--api-token', '--x', '--verbose', '--key', '/o'])).toEqual(['--x', '/o'])
  })

  it('has slashes, and is no path', () => {
    expect(argvSecrets(['marvin', 'c2VjcmV0L3NlY3JldA==', '/of=mine'])).toEqual(['c2VjcmV0L3NlY3JldA==', '/of=mine'])
  })
})
