import { inflateRawSync } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50

/**
 * One file out of a zip archive in memory (no zip64, no encryption).
 * @param {Buffer} archive
 * @param {(name: string) => boolean} wanted the first entry that it accepts is unpacked
 * @returns {Buffer}
 */
export function unzip(archive, wanted) {
  let end = archive.length - 22
  while (end >= 0 && archive.readUInt32LE(end) !== END) end--
  if (end < 0) throw new Error('not a zip archive')
  for (let at = archive.readUInt32LE(end + 16); archive.readUInt32LE(at) === ENTRY; ) {
    const nameBytes = archive.readUInt16LE(at + 28)
    const next = at + 46 + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
    if (wanted(archive.toString('utf8', at + 46, at + 46 + nameBytes))) return unpack(archive, at)
    at = next
  }
  throw new Error('the archive does not hold the file')
}

/** @param {Buffer} archive @param {number} entry where its record in the directory begins */
function unpack(archive, entry) {
  const local = archive.readUInt32LE(entry + 42)
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const data = archive.subarray(start, start + archive.readUInt32LE(entry + 20))
  return archive.readUInt16LE(entry + 10) === 0 ? data : inflateRawSync(data)
}
