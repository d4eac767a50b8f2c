/** Remembers how many dimensions a model has, so that a program which runs on every prompt asks its server once and not each time. */
import { readTextIfExists, writeFileAtomic } from '../util/fs.ts'

export interface DimensionsCache {
  get(key: string): number | undefined
  set(key: string, dimensions: number): void
}

/** Neither call throws: without a readable, writable file the server is asked again. */
export function dimensionsCache(path: string): DimensionsCache {
  const read = (): Record<string, unknown> => {
    try {
      const stored: unknown = JSON.parse(readTextIfExists(path) ?? '{}')
      return typeof stored === 'object' && stored !== null ? { ...stored } : {}
    } catch {
      return {} // Unreadable: nothing is remembered.
    }
  }
  return {
    get(key) {
      const found = read()[key]
      return typeof found === 'number' && Number.isInteger(found) && found > 0 ? found : undefined
    },
    set(key, dimensions) {
      try {
        writeFileAtomic(path, `${JSON.stringify({ ...read(), [key]: dimensions }, null, 2)}\n`, { durable: false })
      } catch {
        // Not remembered: the next run asks again.
      }
    },
  }
}
