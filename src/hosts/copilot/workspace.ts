/**
 * What Copilot CLI notes beside a session, in `workspace.yaml`. Of YAML the file has only flat keys with one plain or quoted value
 * each; a value of any other kind is left out.
 */
import { asText } from '../fields.ts'

export interface Workspace {
  readonly name?: string
  readonly cwd?: string
  readonly branch?: string
}

const LINE = /^(name|cwd|branch):[ \t]+(\S.*)$/s
/** Values that go on in other lines, or hold more than one. */
const NOT_PLAIN = /^[|>[{&*!]/

export function parseWorkspace(text: string): Workspace {
  const found: Record<string, string> = {}
  for (const line of text.split(/\r?\n/)) {
    const [, key, raw] = LINE.exec(line) ?? []
    const value = raw === undefined ? undefined : scalar(raw.trim())
    if (key !== undefined && value !== undefined) found[key] = value
  }
  return found
}

function scalar(raw: string): string | undefined {
  if (raw.startsWith('"')) return fromJson(raw)
  const single = /^'((?:[^']|'')*)'(?:\s+#.*)?$/.exec(raw)?.[1]
  if (single !== undefined) return asText(single.replaceAll("''", "'"))
  if (raw.startsWith("'") || NOT_PLAIN.test(raw)) return undefined
  const plain = raw.replace(/\s+#.*$/, '')
  return plain === 'null' || plain === '~' ? undefined : asText(plain)
}

/** A double-quoted value is, but for escapes that no program writes here, a JSON string. */
function fromJson(raw: string): string | undefined {
  try {
    return asText(JSON.parse(raw))
  } catch {
    return undefined // Cut off, or of YAML's own escapes: there is no title then.
  }
}
