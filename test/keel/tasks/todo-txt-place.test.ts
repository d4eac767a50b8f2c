import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { placeIn, todoTxtPlace } from '../../../src/keel/tasks/todo-txt-place.ts'
import { realSystem, type System } from '../../../src/util/system.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

const system = { home: '/home/me', platform: 'linux' } as const

describe.skipIf(process.platform === 'win32')('the configuration of todo.sh', () => {
  it.each([
    ['export TODO_DIR=~/.todo-txt\nexport TODO_FILE="$TODO_DIR/todo.txt"', '/home/me/.todo-txt/todo.txt'],
    ['export TODO_DIR="$HOME/My Notes" # mine', '/home/me/My Notes/todo.txt'],
    [`TODO_DIR='/data/todo'\r\nTODO_FILE=\${TODO_DIR}/all.txt\r`, '/data/todo/all.txt'],
    ['#export TODO_DIR=/no\n  export TODO_FILE=/data/a.txt', '/data/a.txt'],
    ['export TODO_DIR=$(dirname "$0")\nexport TODO_FILE="$TODO_DIR/todo.txt"', undefined],
    ['export TODO_DIR=/data\nexport TODO_FILE=`date`.txt', '/data/todo.txt'],
    ['export TODO_DIR="open\nexport TODO_DIR=relative', undefined],
    ['', undefined],
  ])('that says %j names %s', (config, place) => {
    expect(placeIn(config, system)).toBe(place)
  })
})

describe('the file of todo.sh', () => {
  function machine(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
    const home = temporaryFolder()
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, name)), { recursive: true })
      writeFileSync(join(home, name), text)
    }
    const one: System = { ...realSystem(), home, env: { PATH: join(home, 'bin'), ...env } }
    return { place: (name: string) => join(home, name), found: todoTxtPlace(one) }
  }

  it.each<[string, Record<string, string>, string]>([
    ['is in the home where nothing is configured', {}, 'todo.txt'],
    [
      'is where the first configuration says',
      { '.todo/config': 'TODO_DIR=~/a', 'todo.cfg': 'TODO_DIR=~/b', 'a/todo.txt': '', 'b/todo.txt': '' },
      'a/todo.txt',
    ],
    ['is there too where it is not yet', { '.todo.cfg': 'TODO_DIR=~/a', 'a/done.txt': '' }, 'a/todo.txt'],
    [
      'is one that is there, before one that is not',
      { '.config/todo/config': 'TODO_DIR=~/a', 'todo.txt': '', 'a/done.txt': '' },
      'todo.txt',
    ],
    ['is in a folder that is there', { 'todo.cfg': 'TODO_DIR=~/a' }, 'todo.txt'],
  ])('%s', (_, files, name) => {
    const { place, found } = machine(files)
    expect(found).toBe(place(name))
  })

  it('is where the environment says, whatever is configured', () => {
    const files = { 'todo.cfg': 'TODO_DIR=~/a', 'a/todo.txt': '' }
    expect(machine(files, { TODO_DIR: '/data' }).found).toBe(join('/data', 'todo.txt'))
    expect(machine(files, { TODO_DIR: '/data', TODO_FILE: '/data/b.txt' }).found).toBe('/data/b.txt')
  })
})
