/** The page's own files, read once: what a request names is looked up among them and never on the disk. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

export interface Asset {
  readonly type: string
  readonly body: Buffer
  readonly etag: string
}

/** By file name. */
export type Assets = ReadonlyMap<string, Asset>

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
}

/** The files of a folder whose kind a page uses; none where there is no such folder: the page works without them. */
export function loadAssets(folder: string): Assets {
  const assets = new Map<string, Asset>()
  for (const name of namesIn(folder)) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const body = readFileSync(join(folder, name))
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    assets.set(name, { type, body, etag })
  }
  return assets
}

function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
