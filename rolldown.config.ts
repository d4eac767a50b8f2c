/**
 * Three outputs: the programs as CommonJS with shared chunks (it starts 10 ms faster than ES modules), the engine as an ES module for
 * programs that import the package, and the script of Keel's page. Only what is native stays an installed dependency.
 */
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'
import { thirdParty } from './scripts/third-party.ts'

const external = [/^node:/, '@photostructure/sqlite']
const programs = Object.fromEntries(readdirSync('src/bin').map((file) => [basename(file, '.ts'), `src/bin/${file}`]))

/** All that `retrieve` needs, in one file: every file costs a search and a compilation of its own. */
const RETRIEVE = {
  name: 'retrieve',
  test: /src\/(?:cli\/(?:main|run|retrieve)|host-cli\/main|memory\/open|store\/open|store\/sqlite\/open|embedding\/open|embedding\/local\/embedder)\.ts$/,
  priority: 1,
}
const COMPILE_CACHE = { name: 'compile-cache', test: /src\/cli\/compile-cache\.ts$/, priority: 2 }

/**
 * `import * as fs` becomes the module itself. The bundler would copy its hundred properties behind getters in each chunk: half a
 * millisecond on every prompt.
 */
const builtins: Plugin = {
  name: 'builtins',
  transform: {
    filter: { id: /src\/.*\.ts$/ },
    handler: (code) => code.replace(/^import \* as (\w+) from '(node:[\w/]+)'$/gm, "const $1 = process.getBuiltinModule('$2')"),
  },
}

/** commander loads `child_process`, and with it the network, for subcommands that are files of their own; here are none: 3 ms of every run. */
const commander: Plugin = {
  name: 'commander',
  transform: {
    filter: { id: /commander\/lib\/command\.js$/ },
    handler(code) {
      const eager = "const childProcess = require('node:child_process');"
      if (!code.includes(eager)) throw new Error('commander does not load child_process as it did')
      return code.replace(eager, "const childProcess = { spawn: (...args) => require('node:child_process').spawn(...args) };")
    },
  },
}

/**
 * For the file that every prompt loads: the bundler's own helpers move into it, and what each program begins with moves into the
 * program, so that there is no file more to look for; and all is ASCII, so that it is read as bytes and not as 16-bit characters.
 */
const compact: Plugin = {
  name: 'compact',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const named = (name: string) => {
      const chunk = chunks.find((candidate) => candidate.name === name)
      if (chunk === undefined) throw new Error(`the bundle has no chunk ${name}`)
      return chunk
    }
    const move = (from: string, to: (typeof chunks)[number]) => {
      const { fileName, code } = named(from)
      const call = new RegExp(`require\\("[./]*(?:chunks/)?${basename(fileName).replaceAll('.', '\\.')}"\\)`)
      if (!call.test(to.code)) throw new Error(`${to.fileName} does not load ${fileName}`)
      to.code = to.code.replace(call, () => `(()=>{const exports={};${code};return exports})()`)
    }
    move('rolldown-runtime', named(RETRIEVE.name))
    for (const program of chunks.filter(({ isEntry }) => isEntry)) move(COMPILE_CACHE.name, program)
    for (const chunk of chunks)
      chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  },
}

export default defineConfig([
  {
    input: programs,
    platform: 'node',
    external,
    plugins: [builtins, commander, compact, thirdParty()],
    output: {
      dir: 'dist',
      format: 'cjs',
      // Short names too: a quarter less to read on every prompt, and 2 of its 45 ms.
      minify: true,
      codeSplitting: { groups: [COMPILE_CACHE, RETRIEVE] },
      entryFileNames: 'bin/[name].cjs',
      chunkFileNames: 'chunks/[name]-[hash].cjs',
      banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
    },
  },
  {
    input: { index: 'src/index.ts' },
    platform: 'node',
    external,
    output: { dir: 'dist', format: 'esm', minify: 'dce-only', chunkFileNames: 'chunks/[name]-[hash].js' },
  },
  // One file, for one request.
  {
    input: { keel: 'web/keel.ts' },
    platform: 'browser',
    tsconfig: 'web/tsconfig.json',
    output: { dir: 'dist/web', format: 'esm', minify: true, entryFileNames: '[name].js' },
  },
])
