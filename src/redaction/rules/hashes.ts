import type { Rule } from '../rule.ts'

/** What a password file keeps instead of a password: it can be guessed offline, so it is one. */
export const hashRules: readonly Rule[] = [
  // crypt(5): MD5, Apache's MD5, SHA-256, SHA-512, yescrypt, bcrypt, scrypt.
  {
    name: 'password-hash',
    certain: true,
    hints: ['$1$', '$5$', '$6$', '$7$', '$y$', '$apr1$'],
    pattern: /\$(?:[1567y]|apr1)\$(?:rounds=\d{1,9}\$)?[A-Za-z0-9./]{1,40}\$(?:[A-Za-z0-9./]{1,40}\$)?[A-Za-z0-9./]{20,}/,
  },
  { name: 'password-hash', certain: true, hints: ['$2a$', '$2b$', '$2y$', '$2x$'], pattern: /\$2[abxy]\$\d\d\$[A-Za-z0-9./]{40,53}/ },
  // The PHC string format: Argon2, scrypt, PBKDF2.
  {
    name: 'password-hash',
    certain: true,
    hints: ['$argon2', '$scrypt', '$pbkdf2'],
    pattern: /\$(?:argon2(?:id|i|d)|scrypt|pbkdf2[a-z0-9-]{0,10})\$(?:[A-Za-z0-9=,+/.-]{1,60}\$){1,4}[A-Za-z0-9+/.=-]{16,}/,
  },
  // Django and Werkzeug; LDAP (RFC 2307).
  {
    name: 'password-hash',
    certain: true,
    hints: ['pbkdf2_sha', 'pbkdf2:sha', 'scrypt:'],
    pattern: /(?:pbkdf2[_:]sha\d{1,3}|scrypt)(?:[:$]\d{1,8}){1,3}\$[A-Za-z0-9+/]{4,40}\$[A-Za-z0-9+/=]{20,}/,
  },
  {
    name: 'password-hash',
    certain: true,
    hints: ['{ssha', '{sha}', '{crypt}'],
    pattern: /\{(?:SSHA(?:256|512)?|SHA|CRYPT)\}[A-Za-z0-9+/=$.]{20,}/i,
  },
]
