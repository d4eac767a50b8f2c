import type { Rule } from '../rule.ts'
import { WORD_START } from '../rule.ts'

/** Tokens of a standard, whoever issues them. */
export const tokenRules: readonly Rule[] = [
  // RFC 7519 and 7516: two or four dots between base64url parts, of which the first is a JSON object (`eyJ` is `{"`). It may be cut off
  // anywhere behind the first dot.
  {
    name: 'jwt',
    hints: ['eyj'],
    pattern: new RegExp(`${WORD_START}eyJ[A-Za-z0-9_-]{8,1000}\\.[A-Za-z0-9_-]{10,}(?:\\.[A-Za-z0-9_-]*){0,3}`),
  },
  // PASETO: version, purpose, payload.
  {
    name: 'paseto',
    hints: ['.local.', '.public.'],
    pattern: /(?<=(?<head>v[1-4]))\.(?:local|public)\.[A-Za-z0-9_-]{40,}(?:\.[A-Za-z0-9_-]+)?/,
  },
]
