import type { Block, Rule } from '../rule.ts'
import { isStandIn } from '../strength.ts'

/** Kubernetes' secrets: what stands under `data` is one, whatever it is called. */

/** How far a manifest is looked at to both sides of its kind. Characters. */
const REACH = 6000
/** What a secret's other entries are called. */
const PLAIN = /^(?:\w*[_.-])?(?:user(?:name)?|host|port|name|database|db|email|region|ca\.crt|tls\.crt|namespace|login)$/i

/** The manifest around `at`: as far as the lines `---`. */
function documentAround(text: string, at: number): { readonly start: number; readonly text: string } {
  const from = Math.max(at - REACH, 0)
  const start = from + Math.max(text.slice(from, at).lastIndexOf('\n---') + 1, 0)
  const rest = text.slice(at, at + REACH)
  const end = rest.indexOf('\n---')
  return { start, text: text.slice(start, at) + (end < 0 ? rest : rest.slice(0, end)) }
}

function findYaml(text: string, at: number): Block {
  const { start, text: manifest } = documentAround(text, at)
  const secrets: [number, number][] = []
  // The lines of the section are deeper than its name. JSON and logs escape line breaks.
  for (const section of manifest.matchAll(/(?<=^|\n|\\n)(?<indent> {0,20})(?:data|stringData):[ \t]{0,4}(?:\r?\n|\\n)/g)) {
    const entry = new RegExp(
      `${section.groups!.indent} {1,20}(?<name>[\\w.-]{1,80}):[ \\t]{1,4}["']?(?<value>[^\\s"'\\\\|>][^\\n"'\\\\]{2,4000}?)?["']?[ \\t]{0,4}(?:\\r?\\n|\\\\n|$)`,
      'y',
    )
    entry.lastIndex = section.index + section[0].length
    for (let match = entry.exec(manifest); match !== null; match = entry.exec(manifest)) {
      const { name, value } = match.groups!
      if (value === undefined || PLAIN.test(name!) || isStandIn(value)) continue
      const from = start + match.index + match[0].indexOf(value, match[0].indexOf(':'))
      secrets.push([from, from + value.length])
    }
  }
  return { secrets, end: start + manifest.length }
}

function findJson(text: string, at: number): Block {
  const { start, text: manifest } = documentAround(text, at)
  const secrets: [number, number][] = []
  for (const section of manifest.matchAll(/\\?"(?:data|stringData)\\?":\s{0,4}\{(?<entries>[^{}]{1,4000})\}/g)) {
    const offset = start + section.index + section[0].indexOf(section.groups!.entries!)
    for (const match of section.groups!.entries!.matchAll(/\\?"(?<name>[\w.-]{1,80})\\?":\s{0,4}\\?"(?<value>[^"\\]{4,4000})\\?"/g)) {
      const { name, value } = match.groups!
      if (PLAIN.test(name!) || isStandIn(value!)) continue
      const from = offset + match.index + match[0].lastIndexOf(value!)
      secrets.push([from, from + value!.length])
    }
  }
  return { secrets, end: start + manifest.length }
}

export const manifestRules: readonly Rule[] = [
  { name: 'kubernetes-secret', hints: ['kind: secret\n', 'kind: secret\\n', 'kind: secret\r'], find: findYaml },
  {
    name: 'kubernetes-secret',
    hints: ['"kind": "secret"', '"kind":"secret"', '\\"kind\\": \\"secret\\"', '\\"kind\\":\\"secret\\"'],
    find: findJson,
  },
  // A registry's accounts, in base64: `{"auths":`.
  {
    name: 'kubernetes-secret',
    hints: ['dockerconfigjson'],
    pattern: /dockerconfigjson\\?"?:\s{0,4}\\?"?(?<secret>[A-Za-z0-9+/]{20,4000}={0,2})/,
  },
]
