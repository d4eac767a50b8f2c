/** Follows the structure of one JSON document byte by byte, and says where what is wanted of it begins and ends. */

/** An element of the conversation; a string of the document itself, such as its title, and the name of such a field. */
export type Wanted = 'element' | 'string' | 'name'

/** `more`: something follows the end of the document, so that it is none, but lines. `none`: neither a list nor an object. */
export type Step = 'begins' | 'ends' | 'more' | 'none' | undefined

export interface Structure {
  /** What the byte means. What is wanted begins and ends with it. */
  step(byte: number): Step
  /** What began last. */
  readonly wanted: Wanted | undefined
  /** Whether only a quote or a backslash means something now: most bytes are inside strings. */
  readonly isInText: boolean
  /** The field of the document that is under way; to be set by whoever takes its name. */
  field: string
  readonly isWhole: boolean
  readonly isCutShort: boolean
}

/** Where an object keeps its conversation. */
const LISTS: ReadonlySet<string> = new Set(['messages', 'history', 'conversation', 'turns', 'entries'])

const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf])
const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x20]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

export function structure(): Structure {
  let depth = 0
  /** The depth in which elements lie, while one of the lists is open. */
  let listDepth = 0
  let inString = false
  let isEscaped = false
  /** Whether a string of the document itself is the name of a field now. */
  let expectsName = false
  let isWhole = false
  let field = ''
  let wanted: Wanted | undefined
  let isTaking = false

  const isOwn = (): boolean => depth === 1 && listDepth === 0

  function begin(what: Wanted): Step {
    wanted = what
    isTaking = true
    return 'begins'
  }

  function end(): Step {
    if (!isTaking) return undefined
    isTaking = false
    return 'ends'
  }

  function inside(byte: number): Step {
    if (isEscaped) isEscaped = false
    else if (byte === BACKSLASH) isEscaped = true
    else if (byte === QUOTE) {
      inString = false
      if (isOwn()) return end()
    }
    return undefined
  }

  function open(byte: number): Step {
    const at = depth++
    if (at === 0) {
      if (byte === OPEN_LIST) listDepth = 1
      else expectsName = true
    } else if (listDepth > 0) {
      if (at === listDepth && byte === OPEN_OBJECT) return begin('element')
    } else if (at === 1 && byte === OPEN_LIST && LISTS.has(field)) listDepth = 2
    return undefined
  }

  function close(): Step {
    depth--
    isWhole = depth === 0
    if (depth < listDepth) listDepth = 0
    return listDepth > 0 && depth === listDepth ? end() : undefined
  }

  function step(byte: number): Step {
    if (inString) return inside(byte)
    if (byte <= SPACE) return undefined
    if (isWhole) return 'more'
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) return open(byte)
    if (depth === 0) return BYTE_ORDER_MARK.has(byte) ? undefined : 'none'
    if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) return close()
    if (byte === QUOTE) {
      inString = true
      if (isOwn()) return begin(expectsName ? 'name' : 'string')
    } else if (isOwn()) {
      if (byte === COMMA) expectsName = true
      else if (byte === COLON) expectsName = false
    }
    return undefined
  }

  return {
    step,
    get wanted() {
      return wanted
    },
    get isInText() {
      return inString && !isEscaped
    },
    get field() {
      return field
    },
    set field(name) {
      field = name
    },
    get isWhole() {
      return isWhole
    },
    get isCutShort() {
      return depth > 0
    },
  }
}
