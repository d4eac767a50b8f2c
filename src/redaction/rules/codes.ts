import type { Rule } from '../rule.ts'
import { isRandom } from '../strength.ts'

/** Codes that stand in for a password once or in an emergency, words that a wallet is made from, and keys of wallets. */

const KIND =
  '(?:verification|one[ -]time|otp|2fa|mfa|two[ -]factor|security|login|sign[ -]in|auth(?:entication|enticator)?|confirmation|access|sms|device|bestätigungs|einmal|sicherheits)'
const LINK = '(?: (?:is|ist|lautet|was|est|es)|\\s?[:=])'
/** A recovery code, and what stands between two. */
const ITEM = '[A-Za-z0-9]{4,10}(?:[- ][A-Za-z0-9]{3,10}){0,3}'
const BETWEEN = '(?:[ \\t]{0,4}(?:\\r?\\n|\\\\n|,)[ \\t]{0,8}(?:[-*•] |\\d{1,2}[.)] )?`?)'
/** What people call them. */
const RECOVERY =
  '(?:recovery|backup|scratch|emergency)[- ](?:codes?|keys?)|wiederherstellungs(?:codes?|schlüssel)|codes? de (?:secours|recuperación)'
/** Words of BIP 39, side by side or numbered. */
const WORDS = '[a-z]{3,8}(?:(?:[ ,]{1,2}|\\s{1,4}\\d{1,2}[.)]? {1,2}|\\n)[a-z]{3,8}){11,23}'

const hasDigits = (secret: string): boolean => {
  const items = secret.split(/\n|\\n|,/)
  return items.filter((item) => /\d[A-Za-z0-9 -]*$/.test(item.replace(/^\s*\d{1,2}[.)] /, ''))).length * 2 > items.length
}

export const codeRules: readonly Rule[] = [
  {
    name: 'one-time-code',
    hints: [
      'verification',
      'one-time',
      'one time code',
      'one time pass',
      'otp',
      '2fa',
      'mfa',
      'two-factor',
      'security code',
      'login code',
      'sms code',
      'device code',
      'access code',
      'confirmation code',
      'bestätigungscode',
      'einmalcode',
      'sicherheitscode',
      'authenticat',
      'sign-in code',
    ],
    pattern: new RegExp(
      `(?<![A-Za-z])(?:${KIND}[ -]?(?:code|password|passcode|pin)|otp|2fa|mfa|one-time)${LINK}\\s{1,3}["'\`*]{0,3}(?<secret>\\d{3}[- ]?\\d{3,5}|\\d{5,8}|[A-Z0-9]{4}-[A-Z0-9]{4})(?![\\w.-]|,\\d)`,
      'iu',
    ),
  },
  { name: 'one-time-code', hints: ['--otp'], pattern: /--otp[= ](?<secret>\d{6,8})(?!\d)/ },
  {
    name: 'one-time-code',
    hints: ['enter code ', 'enter the code '],
    pattern: /enter (?:the )?code:? ["'`]?(?<secret>[A-Z0-9]{4}-[A-Z0-9]{4}|\d{6,8})(?![\w-])/i,
  },
  {
    name: 'one-time-code',
    hints: [' as your verification', ' as your one-time', ' as your login', ' is your '],
    pattern:
      /(?<=(?<![\w.])(?:G-)?(?<head>\d{3}[- ]?\d{3,5}))(?= (?:as|is) your [^\n.]{0,30}(?:verification|one-time|login|security|access)[^\n.]{0,20}(?:code|pin|password))/i,
  },
  {
    name: 'one-time-code',
    hints: ['验证码', '認証コード', '確認コード', '인증번호'],
    pattern: /(?:验证码|認証コード|確認コード|인증번호)(?:是|为|は|는)?\s?[:：]?\s?(?<secret>\d{4,8})(?!\d)/,
  },
  {
    name: 'recovery-code',
    hints: [
      'recovery code',
      'backup code',
      'recovery key',
      'backup key',
      'scratch code',
      'emergency code',
      'recovery-code',
      'backup-code',
      'wiederherstellung',
      'codes de secours',
    ],
    pattern: new RegExp(
      `(?:${RECOVERY})[^\\n:=]{0,40}(?:[:=]|(?=\\r?\\n|\\\\n)| (?:is|are|ist|sind))(?:\\s|\\\\n){0,6}(?:[-*•] |\\d{1,2}[.)] )?["'\`]?(?<secret>${ITEM}(?:${BETWEEN}${ITEM}){0,24})(?![\\w.])`,
      'i',
    ),
    check: hasDigits,
  },
  // `recovery key: EsTB 9kQz …`, in groups.
  {
    name: 'recovery-code',
    hints: ['recovery key', 'security key', 'backup key', 'wiederherstellungsschlüssel'],
    pattern:
      /(?:recovery |security |backup |wiederherstellungs)(?:key|schlüssel)(?: is|:|=)\s{1,3}["'`]?(?<secret>[A-Za-z0-9]{4}(?:[ -][A-Za-z0-9]{4}){4,15})(?![A-Za-z0-9])/i,
    check: (secret) => isRandom(secret.replace(/[ -]/g, ''), 16),
  },
  {
    name: 'seed-phrase',
    hints: [
      'seed phrase',
      'mnemonic',
      'recovery phrase',
      'secret phrase',
      'seed words',
      'wallet words',
      'backup phrase',
      'seed:',
      'seed is',
      'wortliste',
      '助记词',
    ],
    pattern: new RegExp(
      `(?:seed|mnemonic|recovery|secret|wallet|backup|wortliste|助记词)[^\\n:=("]{0,30}(?:[:=("：]| is| are| ist)(?:\\s|\\\\n){0,4}["'\`]?(?:1[.)]? )?(?<secret>${WORDS})`,
      'iu',
    ),
  },
  // TOTP in groups of four, as they are shown for typing.
  {
    name: 'totp-secret',
    hints: ['2fa', 'totp', 'authenticator', 'setup key', 'otp secret', 'mfa'],
    pattern:
      /(?<![A-Za-z0-9])(?:2fa|totp|authenticator|setup|otp|mfa)[^\n:="'(]{0,20}(?: is|[:=("'])?["']?\s{0,3}["'`]?(?<secret>[A-Z2-7]{16,64}|[A-Z2-7]{4}(?: [A-Z2-7]{4}){3,15})(?![A-Za-z0-9])/i,
    check: (secret) => /[2-7]/.test(secret) && /[A-Z]{2}/i.test(secret) && secret.toUpperCase() === secret,
  },
  // Keys of Ethereum's accounts: 32 bytes. An address has 20; a transaction's hash has 32 and is called so.
  {
    name: 'wallet-key',
    hints: ['private key', 'privatekey', 'private-key', 'accounts', 'wallet(', 'private_key', 'signingkey('],
    pattern: /(?:private[ _-]?key|accounts|wallet\(|signingkey\()[^\n0]{0,40}?(?<![A-Za-z0-9])(?<secret>(?:0x)?[a-f0-9]{64})(?![a-f0-9])/i,
    check: (_, match) => !/hash|\btx|sha|public/i.test(match[0]),
    certain: true,
  },
  { name: 'wallet-key', hints: [') 0x'], pattern: /(?<=(?:^|\n|\\n)\(\d{1,2})\) (?<secret>0x[a-f0-9]{64})(?![a-f0-9])/i, certain: true },
]
