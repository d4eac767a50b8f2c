/**
 * The keys of the records that were mined from a session, eight bytes each. A session that was rewritten or compacted is read
 * from its start again; these tell what was seen. Counted, not just known: two keys that have one hash must not hide a message.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '../util/errors.ts'
import { discardFile, readBytesIfExists, writeFileAtomic } from '../util/fs.ts'
import type { Layout } from './layout.ts'

const BYTES = 8

/** A growing list of key hashes. */
export interface KeyList {
  push(key: string): void
  readonly length: number
  bytes(): Uint8Array
  /** Empties it. */
  clear(): void
}

export function keyList(): KeyList {
  let words = new Uint32Array(512)
  let length = 0
  return {
    push(key) {
      if (2 * length + 2 > words.length) {
        const larger = new Uint32Array(words.length * 2)
        larger.set(words)
        words = larger
      }
      words[2 * length] = mix(key, 0x811c9dc5)
      words[2 * length + 1] = mix(key, 0x9747b28c)
      length++
    },
    get length() {
      return length
    },
    bytes: () => new Uint8Array(words.buffer, 0, length * BYTES),
    clear() {
      length = 0
    },
  }
}

/**
 * Tells of one key after the other whether it was mined before: of a key that was mined k times, the first k are. `before` is what
 * `readMinedKeys` gave.
 */
export function minedBefore(before: Uint8Array): (key: string) => boolean {
  if (before.length === 0) return () => false
  const known = words64(before).sort()
  /** How many of a key have come by, at the place of its first. */
  const seen = new Uint32Array(known.length)
  const one = keyList()
  return (key) => {
    one.clear()
    one.push(key)
    const [hash] = words64(one.bytes())
    const first = firstPlace(known, hash as bigint)
    if (first === known.length || known[first] !== hash) return false
    const next = first + (seen[first] ?? 0)
    if (known[next] !== hash) return false
    seen[first] = (seen[first] ?? 0) + 1
    return true
  }
}

/** Of the first word that is not less, by halving. */
function firstPlace(ascending: BigUint64Array, word: bigint): number {
  let [from, to] = [0, ascending.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((ascending[middle] as bigint) < word) from = middle + 1
    else to = middle
  }
  return from
}

export function readMinedKeys(tree: Layout, session: string): Uint8Array {
  return new Uint8Array(readBytesIfExists(pathOf(tree, session)) ?? [])
}

/**
 * Writes what will have been mined when the run is committed: the keys before, and the new ones. `durable` where they are the only thing
 * that tells how far the session was mined: elsewhere the manifest does, and keys lost in a power cut cost nothing until a rewrite.
 */
export function writePendingKeys(tree: Layout, session: string, keys: readonly Uint8Array[], durable: boolean): void {
  writeFileAtomic(`${pathOf(tree, session)}.pending`, Buffer.concat(keys), { durable })
}

/** Makes the pending keys of a committed session count. Safe to repeat. */
export function promoteKeys(tree: Layout, session: string): void {
  try {
    fs.renameSync(`${pathOf(tree, session)}.pending`, pathOf(tree, session))
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

/** Forgets a session whose log is gone for good. */
export function dropKeys(tree: Layout, session: string): void {
  discardFile(pathOf(tree, session))
}

/** Removes the pending keys of a run that was not committed. */
export function dropPendingKeys(tree: Layout): void {
  let entries: string[]
  try {
    entries = fs.readdirSync(tree.minedKeys)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  for (const entry of entries) if (entry.endsWith('.pending')) discardFile(join(tree.minedKeys, entry))
}

/** Ids are the host's text: a hash makes the file name. */
function pathOf(tree: Layout, session: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return join(tree.minedKeys, createHash('sha256').update(session).digest('hex').slice(0, 32))
}

function words64(bytes: Uint8Array): BigUint64Array {
  const whole = bytes.length - (bytes.length % BYTES) // A torn tail costs that one key.
  return new BigUint64Array(bytes.slice(0, whole).buffer)
}

/** 16 hexadecimal digits, without loading a module for it. */
export function shortHash(text: string): string {
  return [0x811c9dc5, 0x9747b28c].map((seed) => mix(text, seed).toString(16).padStart(8, '0')).join('')
}

/** FNV-1a over UTF-16 with a final avalanche; two seeds give 64 bits. Speed matters here, secrecy does not. */
function mix(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
