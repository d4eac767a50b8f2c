/** Reads float32 tensors by name out of a safetensors file: a JSON header with offsets, then the numbers, little-endian. */

/** @typedef {(name: string) => Float32Array} Tensors */

/**
 * @param {Uint8Array} file
 * @returns {Tensors}
 */
export function readTensors(file) {
  const view = new DataView(file.buffer, file.byteOffset)
  const headerBytes = Number(view.getBigUint64(0, true))
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + headerBytes)))
  const known = new Map()
  return (name) => {
    const tensor = known.get(name) ?? readTensor(file, 8 + headerBytes, header[name], name)
    known.set(name, tensor)
    return tensor
  }
}

/** @param {Uint8Array} file @param {number} start @param {{dtype: string, data_offsets: [number, number]} | undefined} entry @param {string} name */
function readTensor(file, start, entry, name) {
  if (entry?.dtype !== 'F32') throw new Error(`the model holds no float32 tensor ${name}`)
  const [from, to] = entry.data_offsets
  return new Float32Array(file.buffer.slice(file.byteOffset + start + from, file.byteOffset + start + to))
}
