/** Follows the structure of one JSON document byte by byte, and says where what is wanted of it begins and ends. */

/** An element of the conversation; a string of the document itself, such as its title, and the name of such a field. */
export type Wanted = 'element' | 'string' | 'name'

/** `more`: something follows the end of the document, so that it is none, but lines. `none`: neither a list nor an object. */
export type Step = 'begins' | 'ends' | 'more' | 'none' | undefined

/** A document up to some byte of it. */
export interface Structure {
  /** What the next byte means. What is wanted begins and ends with it. */
  readonly step: (byte: number) => Step
  /** What began last. */
  wanted: Wanted | undefined
  /** The field of the document that is under way; set by whoever takes its name. */
  field: string
  /** Whether only a quote or a backslash means something now: most bytes are inside strings. */
  isInText: boolean
  /** Lists and objects that are open. */
  depth: number
  isWhole: boolean
}

/** Where an object keeps its conversation. */
const LISTS: ReadonlySet<string> = new Set(['messages', 'history', 'conversation', 'turns', 'entries'])

const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf])
const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x20]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

export function structure(): Structure {
  /** The depth in which elements lie, while one of the lists is open. */
  let listDepth = 0
  let inString = false
  /** Whether a string of the document itself is the name of a field now. */
  let expectsName = false
  let isTaking = false
  const at: Structure = { step, wanted: undefined, field: '', isInText: false, depth: 0, isWhole: false }

  function step(byte: number): Step {
    if (inString) return inside(byte)
    if (byte <= SPACE) return undefined
    if (at.isWhole) return 'more'
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) return open(byte)
    if (at.depth === 0) return BYTE_ORDER_MARK.has(byte) ? undefined : 'none'
    if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) return close()
    if (byte === QUOTE) {
      inString = true
      at.isInText = true
      return isOwn() ? begin(expectsName ? 'name' : 'string') : undefined
    }
    if ((byte === COMMA || byte === COLON) && isOwn()) expectsName = byte === COMMA
    return undefined
  }

  function inside(byte: number): Step {
    if (!at.isInText)
      at.isInText = true // It was escaped.
    else if (byte === BACKSLASH) at.isInText = false
    else if (byte === QUOTE) {
      inString = false
      at.isInText = false
      if (isOwn()) return end()
    }
    return undefined
  }

  function open(byte: number): Step {
    const depth = at.depth++
    if (depth === 0) {
      if (byte === OPEN_LIST) listDepth = 1
      else expectsName = true
    } else if (listDepth > 0) {
      if (depth === listDepth && byte === OPEN_OBJECT) return begin('element')
    } else if (depth === 1 && byte === OPEN_LIST && LISTS.has(at.field)) listDepth = 2
    return undefined
  }

  function close(): Step {
    at.depth--
    at.isWhole = at.depth === 0
    if (at.depth < listDepth) listDepth = 0
    return listDepth > 0 && at.depth === listDepth ? end() : undefined
  }

  function begin(what: Wanted): Step {
    at.wanted = what
    isTaking = true
    return 'begins'
  }

  function end(): Step {
    if (!isTaking) return undefined
    isTaking = false
    return 'ends'
  }

  /** Names and strings of the document itself. */
  function isOwn(): boolean {
    return at.depth === 1 && listDepth === 0
  }

  return at
}
