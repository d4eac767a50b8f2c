/**
 * Loaded before a program: counts its writes to the disk and kills it at one of them. A file written whole is cut in half first, so
 * that the program dies in the middle of the write; of the others nothing happens. `KILL_AT` 0 only counts; the count goes to `KILL_COUNT`.
 */
const fs = require('node:fs')
const Module = require('node:module')

const { writeFileSync, writeSync, openSync } = fs
const at = Number(process.env.KILL_AT ?? 0)
const names = []

function write(name, path, half) {
  names.push(`${name} ${path}`)
  if (names.length !== at) return
  half?.()
  process.kill(process.pid, 'SIGKILL')
}

function wrap(object, name, half) {
  const original = object[name]
  object[name] = function (...args) {
    if (!isRead(name, args)) write(name, String(args[0]), half && (() => half(...args)))
    return original.apply(this, args)
  }
}

/** Opening for reading changes nothing. */
function isRead(name, [, flags = 'r']) {
  return name === 'openSync' && (flags === 'r' || (typeof flags === 'number' && (flags & 3) === fs.constants.O_RDONLY))
}

const halfOf = (data) => (typeof data === 'string' ? data.slice(0, data.length / 2) : data.subarray(0, data.length / 2))

wrap(fs, 'writeFileSync', (target, data, options) => writeFileSync(target, halfOf(data), options))
wrap(fs, 'writeSync', (fd, data) => writeSync(fd, halfOf(data)))
for (const name of [
  'appendFileSync',
  'copyFileSync',
  'ftruncateSync',
  'linkSync',
  'mkdirSync',
  'renameSync',
  'rmSync',
  'truncateSync',
  'unlinkSync',
]) {
  wrap(fs, name)
}
wrap(fs, 'openSync')
Module.syncBuiltinESMExports()

/**
 * The database writes below Node's file functions: each statement that writes counts, the commits among them. Its classes cannot be
 * changed, so the program gets others that pass everything on, in whatever way it loads them.
 */
const withCounting = (loaded) =>
  typeof loaded?.DatabaseSync === 'function' ? Object.create(loaded, { DatabaseSync: { value: counted(loaded.DatabaseSync) } }) : loaded
const { _load: load } = Module
Module._load = function (...args) {
  return withCounting(load.apply(this, args))
}
const { getBuiltinModule } = process
process.getBuiltinModule = (name) => (name === 'node:sqlite' ? withCounting(getBuiltinModule(name)) : getBuiltinModule(name))

function counted(DatabaseSync) {
  return class {
    constructor(...args) {
      this.database = new DatabaseSync(...args)
    }
    exec(sql) {
      writeSql(sql)
      return this.database.exec(sql)
    }
    prepare(sql) {
      const statement = this.database.prepare(sql)
      const counting =
        (name) =>
        (...values) => {
          writeSql(sql)
          return statement[name](...values)
        }
      return { run: counting('run'), get: counting('get'), all: counting('all') }
    }
    close() {
      this.database.close()
    }
  }
}

function writeSql(sql) {
  if (!/^\s*(?:select|with|pragma)\b/i.test(sql)) write('sql', sql.trim().split('\n')[0])
}

process.on('exit', () => {
  if (process.env.KILL_COUNT) {
    const fd = openSync(process.env.KILL_COUNT, 'w')
    writeSync(fd, JSON.stringify(names))
  }
})
