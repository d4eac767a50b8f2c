/** Protocol Buffers without a schema: the fields of one message that hold bytes. */

export interface BytesField {
  readonly field: number
  readonly bytes: Uint8Array
}

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

/** In order; undefined where the bytes are no such message. */
export function protobufFields(message: Uint8Array): BytesField[] | undefined {
  const fields: BytesField[] = []
  let at = 0

  /** Undefined at the end of the bytes, and for numbers too large to be exact. */
  function varint(): number | undefined {
    let value = 0
    for (let shift = 0; shift < 49; shift += 7) {
      const byte = message[at++]
      if (byte === undefined) return undefined
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    return undefined
  }

  /** 64-bit numbers are only passed over. */
  function skipVarint(): boolean {
    for (let length = 0; length < 10; length++) {
      const byte = message[at++]
      if (byte === undefined) return false
      if (byte < 0x80) return true
    }
    return false
  }

  while (at < message.length) {
    const tag = varint()
    if (tag === undefined) return undefined
    const kind = tag % 8
    if (kind === VARINT) {
      if (!skipVarint()) return undefined
    } else if (kind === BYTES) {
      const length = varint()
      if (length === undefined || at + length > message.length) return undefined
      fields.push({ field: Math.floor(tag / 8), bytes: message.subarray(at, at + length) })
      at += length
    } else if (kind === FIXED64 || kind === FIXED32) {
      at += kind === FIXED64 ? 8 : 4
    } else {
      return undefined
    }
  }
  return at === message.length ? fields : undefined
}
