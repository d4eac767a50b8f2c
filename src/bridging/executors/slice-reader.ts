/** Reads the slices that `prepare` writes: one header line, then messages and tool records, one JSON value a line. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { MemuError } from '../../util/errors.ts'
import type { SliceHeader } from '../slices.ts'

export interface MessageLine {
  readonly role: 'user' | 'assistant'
  readonly at?: string
  readonly text: string
}

export interface ToolLine {
  readonly role: 'tool'
  readonly at?: string
  readonly tool?: string
  readonly part: 'call' | 'result'
  readonly failed?: boolean
  readonly text: string
}

export type SliceLine = MessageLine | ToolLine

export interface Slice {
  readonly header: Partial<SliceHeader>
  /** In order, read as they are asked for. A line that is not one of ours ends in the error `bad_slice`. */
  readonly lines: AsyncIterable<SliceLine>
}

export async function openSlice(path: string): Promise<Slice> {
  const values = sliceValues(path)
  const first = await values.next()
  return { header: first.done === true ? {} : (first.value as Partial<SliceHeader>), lines: values as AsyncIterable<SliceLine> }
}

async function* sliceValues(path: string): AsyncGenerator<unknown> {
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (line.trim() === '') continue
    try {
      yield JSON.parse(line)
    } catch (cause) {
      throw new MemuError('bad_slice', `line ${number} of ${path} is not JSON`, { cause, hint: 'Run prepare again.' })
    }
  }
}
