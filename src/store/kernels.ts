/**
 * The search kernels in WebAssembly, compiled and instantiated once: one module with one memory for the scans of vectors and of postings,
 * because each module costs a prompt more than half a millisecond. Memory is scratch: whoever runs lays it out anew, and whatever another
 * one left there is gone. It may grow at any run, which makes views of it useless: they are made anew for each.
 */
import { KERNELS_WASM } from './kernels.wasm.ts'

/** What of the runtime's global is used here; the types of Node 20 do not have it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

export interface KernelMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

let loaded: unknown

/** The exports as their user describes them, or null where the runtime has no WebAssembly, no SIMD or no address space for it. */
export function kernels<Exports extends { readonly memory: KernelMemory }>(): Exports | null {
  if (loaded === undefined) {
    try {
      loaded = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(KERNELS_WASM, 'base64'))).exports
    } catch {
      // The fallback is the same work in JavaScript, which gives the same numbers.
      loaded = null
    }
  }
  return loaded as Exports | null
}
