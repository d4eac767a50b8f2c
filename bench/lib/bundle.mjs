/** Imports a TypeScript module of this repository on a Node.js that does not read TypeScript. */
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'rolldown'
import { root } from './package.mjs'

/** @param {string} source path from the root */
export async function importSource(source) {
  const folder = join(root, 'bench', 'out')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${basename(source, '.ts')}-${process.pid}.mjs`)
  await build({
    input: join(root, source),
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite'],
    logLevel: 'silent',
    output: { file, format: 'esm', codeSplitting: false },
  })
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(file, { force: true })
  }
}
