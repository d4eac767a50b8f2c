import type { Rule } from '../rule.ts'

/** RFC 7468 and its elders: what a private key's first line may say. */
const LABEL = '(?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?'
/** Between two lines of a key: a line break, as it is or escaped, with what a listing or a program puts around lines. */
const BREAK = '(?:\\\\{1,4}[nrt]|[\\s"\'`>|#*,:+.\\d\\u2192\\u2502]|-(?!----)){1,40}'
/** A whole line of base64, and what the last may be. */
const LINE = '(?<!\\\\)[A-Za-z0-9+/]{24,}={0,2}'
/** What stands in a key's block besides: `Proc-Type: 4,ENCRYPTED`. */
const ITEM = `(?:[A-Z][A-Za-z-]{3,20}: [^\\n\\\\]{0,80}|${LINE})`

const isBody = (body: string): boolean => /[A-Za-z0-9+/=]{16}/.test(body)

export const keyRules: readonly Rule[] = [
  // Whole: everything between the first line and the last goes. The bound is four times a key of 16384 bits.
  {
    name: 'private-key',
    certain: true,
    hints: ['-----begin'],
    pattern: new RegExp(`-----BEGIN ${LABEL}-----(?<secret>(?:[^-]|-(?!----)){16,50000}?)(?=-----END ${LABEL}-----)`),
    check: isBody,
  },
  // Cut off at its end.
  {
    name: 'private-key',
    hints: ['-----begin'],
    pattern: new RegExp(
      `-----BEGIN ${LABEL}-----${BREAK}(?<secret>${ITEM}(?:${BREAK}${ITEM})*(?:${BREAK}(?:[A-Za-z0-9+/]*[0-9+/=][A-Za-z0-9+/]*={0,2}))?)`,
    ),
    check: isBody,
  },
  // Cut off at its beginning.
  {
    name: 'private-key',
    hints: ['-----end'],
    pattern: new RegExp(
      `(?=-----END ${LABEL}-----)(?<=(?<head>(?:^(?=[a-z]{0,22}[A-Z0-9+/])[A-Za-z0-9+/]{1,23}${BREAK})?(?:${LINE}${BREAK})+(?:[A-Za-z0-9+/]{1,64}={0,2})?(?:${BREAK})?))`,
    ),
    check: isBody,
  },
  // Without its first and last line: DER in base64 begins so for PKCS#1 and #8 (RFC 8017, 5958), EC (RFC 5915) and OpenSSH's own format.
  {
    name: 'private-key',
    hints: ['miie', 'miic', 'miij', 'mhcc', 'mc4caq', 'migh', 'b3blbnnzac1rzxktdj'],
    pattern: new RegExp(
      `(?<![A-Za-z0-9+/])(?:MII[EJC][a-zA-Z0-9+/]{1,2}[IA][BE]AA?[A-Za-z0-9+/]{20,}|MHcCAQEE[A-Za-z0-9+/]{20,}|MC4CAQAw[A-Za-z0-9+/]{20,}|MIGHAgEA[A-Za-z0-9+/]{20,}|b3BlbnNzaC1rZXktdj[A-Za-z0-9+/]{20,})={0,2}(?:${BREAK}${LINE})*(?:${BREAK}[A-Za-z0-9+/]{4,}={1,2})?`,
    ),
  },
  // The whole of it in base64 once more, as Kubernetes keeps it: `-----BEGIN ` and the first letters of a private key's label.
  {
    name: 'private-key',
    hints: ['ls0tls1crudjti'],
    pattern:
      /LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFURS|BQUklWQVRF|BFQyBQUklWQVRF|BPUEVOU1NI|BFTkNSWVBURUQg|BEU0EgUFJJVkFURS|BQR1AgUFJJVkFURS)[A-Za-z0-9+/]{20,}={0,2}/,
  },
  // PuTTY's format.
  {
    name: 'private-key',
    hints: ['private-lines:'],
    pattern: new RegExp(`Private-Lines: \\d{1,4}${BREAK}(?<secret>${LINE}(?:${BREAK}${LINE})*(?:${BREAK}[A-Za-z0-9+/]{4,}={1,2})?)`),
  },
  // age-encryption.org.
  { name: 'age-key', hints: ['age-secret-key-1'], pattern: /AGE-SECRET-KEY-1[A-Z0-9]{20,}/i },
  // RFC 7518: the private member of a JSON web key.
  {
    name: 'private-jwk',
    hints: ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].flatMap((member) => [`"${member}"`, `"${member}\\"`]),
    pattern: /"(?:d|p|q|dp|dq|qi|k)\\?"\s{0,4}:\s{0,4}\\?"(?<secret>[A-Za-z0-9_-]{40,2000})(?=\\?")/,
  },
  // .NET's XML.
  {
    name: 'private-key',
    hints: ['<d>', '<p>', '<q>', '<dp>', '<dq>', '<inverseq>'],
    pattern: /<(?:D|P|Q|DP|DQ|InverseQ)>(?<secret>[A-Za-z0-9+/=\s]{20,4000})(?=<\/)/,
  },
  // SSH Communications' format has four dashes and a space.
  {
    name: 'private-key',
    certain: true,
    hints: ['---- begin ssh2'],
    pattern: new RegExp(`---- BEGIN SSH2 (?:[A-Z]+ ){0,2}PRIVATE KEY ----${BREAK}(?<secret>[^-]{16,50000})(?=---- END)`),
  },
]
