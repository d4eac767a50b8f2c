import { plainMembers } from './plain.ts'
import { simdScans } from './simd.ts'

/**
 * The documents of some owners, ascending: those whose owner has a byte other than 0 in `wanted`, which has one for every owner number.
 * By SIMD's module where the runtime has it: a look at every document, in a process that answers one query.
 */
export function membersOf(owners: Uint32Array, wanted: Uint8Array): number[] {
  return simdScans()?.members(owners, wanted) ?? plainMembers(owners, wanted)
}
