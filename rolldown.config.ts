/**
 * Two outputs: the programs as CommonJS with shared chunks (it starts 10 ms faster than ES modules), and the engine as an ES
 * module for programs that import the package. Only what is native stays an installed dependency.
 */
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'
import { thirdParty } from './scripts/third-party.ts'

const external = [/^node:/, '@photostructure/sqlite']
const programs = Object.fromEntries(readdirSync('src/bin').map((file) => [basename(file, '.ts'), `src/bin/${file}`]))

/** What runs before a program knows its command, small, and what `retrieve` needs beyond it: each one file, for every file costs a search. */
const START = { name: 'start', test: /src\/(?:cli\/(?:main|run|compile-cache)|host-cli\/main)\.ts$/, priority: 2 }
const RETRIEVE = {
  name: 'retrieve',
  test: /src\/(?:cli\/retrieve|memory\/open|store\/open|store\/sqlite\/open|embedding\/open|embedding\/local\/embedder)\.ts$/,
  priority: 1,
}

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

/** The bundler's own helpers move into the chunk that every prompt loads: a file less to look for. */
const helpers: Plugin = {
  name: 'helpers',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const runtime = chunks.find(({ name }) => name === 'rolldown-runtime')
    const retrieve = chunks.find(({ name }) => name === RETRIEVE.name)
    if (runtime === undefined || retrieve === undefined) throw new Error('the chunks of the bundle are not those that are expected')
    const call = `require("./${basename(runtime.fileName)}")`
    if (!retrieve.code.includes(call)) throw new Error(`no ${call} in ${retrieve.fileName}`)
    retrieve.code = retrieve.code.replace(call, () => `(()=>{const exports={};${runtime.code};return exports})()`)
  },
}

export default defineConfig([
  {
    input: programs,
    platform: 'node',
    external,
    plugins: [builtins, helpers, thirdParty()],
    output: {
      dir: 'dist',
      format: 'cjs',
      // Short names too: a quarter less to read on every prompt, and 2 of its 45 ms.
      minify: true,
      codeSplitting: { groups: [START, RETRIEVE] },
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
])
