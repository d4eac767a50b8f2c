/**
 * Two outputs: the programs as CommonJS with shared chunks (it starts 10 ms faster than ES modules), and the engine as an ES
 * module for programs that import the package. Only what is native stays an installed dependency.
 */
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { defineConfig } from 'rolldown'
import { thirdParty } from './scripts/third-party.ts'

const external = [/^node:/, '@photostructure/sqlite']
const programs = Object.fromEntries(readdirSync('src/bin').map((file) => [basename(file, '.ts'), `src/bin/${file}`]))

export default defineConfig([
  {
    input: programs,
    platform: 'node',
    external,
    plugins: [thirdParty()],
    output: {
      dir: 'dist',
      format: 'cjs',
      minify: 'dce-only',
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
