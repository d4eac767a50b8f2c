import type { Rule } from '../rule.ts'
import { isPassword, isRandom, isWords } from '../strength.ts'

/** On the same line, as far as another command. */
const SAME = '[^\\n|;]{0,200}?'
const BARE = `["']?(?<secret>[^\\s"'\`|;<>\\\\]{3,300})`

const command = (name: string, hints: readonly string[], pattern: string, check?: Rule['check']): Rule => ({
  name,
  hints,
  pattern: new RegExp(pattern, 'i'),
  ...(check === undefined ? {} : { check }),
})

const isNoWord = (secret: string): boolean => secret.length >= 4 && !isWords(secret)

/** Secrets given to programs: long options of any program, short ones of those that are known to take them. */
export const argumentRules: readonly Rule[] = [
  command(
    'argument',
    [
      '--pass',
      '--token',
      '--secret',
      '--key',
      '--api-key',
      '--apikey',
      '--auth',
      '--access-',
      '--client-secret',
      '--private-key',
      '--credential',
      '--bearer',
      '--pwd',
      '-pass',
      '--admin-',
      '--db-',
      '--user-',
      '--service-',
      '--registry-',
      '--github-',
      '--jwt',
      '--mysql',
      '--root-',
    ],
    `-{1,2}(?:[a-z]+-){0,4}(?:pass(?:word|wd|phrase)?|pwd|token|secret|api-?key|key|auth|credentials?|bearer|jwt)(?:-(?:key|value|id))?(?:=|\\s{1,3})${BARE}`,
    (secret, match) =>
      match[0].includes('=')
        ? !/^-/.test(secret) && secret.length >= 4 && (isPassword(secret) || /^[a-z]{5,}$/i.test(secret))
        : isPassword(secret),
  ),
  command('argument', ['mysql', 'mariadb'], `(?:mysql|mariadb)[a-z]{0,10} ${SAME}(?<=\\s)-p${BARE}`),
  command('argument', ['sshpass'], `sshpass ${SAME}(?<=\\s)-p\\s{0,2}${BARE}`),
  command('argument', ['redis-cli'], `redis-cli ${SAME}(?<=\\s)-a\\s{1,2}${BARE}`),
  command('argument', ['mongo'], `mongo[a-z]{0,8} ${SAME}(?<=\\s)-p\\s{0,2}${BARE}`, isNoWord),
  command('argument', [' login'], ` login ${SAME}(?<=\\s)-p\\s{0,2}${BARE}`, isNoWord),
  command('argument', ['ldapsearch', 'ldapadd', 'ldapmodify', 'ldapwhoami'], `ldap[a-z]{3,8} ${SAME}(?<=\\s)-w\\s{0,2}${BARE}`),
  command('argument', ['sqlcmd', 'bcp '], `(?:sqlcmd|bcp) ${SAME}(?<=\\s)-P\\s{0,2}${BARE}`),
  command('argument', ['zip -', '7z '], `(?:zip|7z) ${SAME}(?<=\\s)-P\\s{0,2}${BARE}`, isPassword),
  command('argument', ['pass:'], `pass:${BARE}`, isPassword),
  command(
    'argument',
    ['curl', 'wget', 'http '],
    `(?:curl|wget|http) ${SAME}(?<=\\s)(?:-u|--user|-a)(?:=|\\s{0,2})["']?[^\\s:"']{1,100}:(?<secret>[^\\s"'\`|;<>\\\\]{2,300})`,
  ),
  // SQL of the common servers.
  command(
    'sql-password',
    ['identified by', 'identified with'],
    `identified (?:with \\S{1,40} )?by (?:password )?\\\\{0,3}["'](?<secret>[^"'\\\\]{3,300})`,
  ),
  command(
    'sql-password',
    ['password'],
    `password\\s{1,3}\\\\{0,3}'(?<secret>[^'\\\\\\s]{3,300})(?=\\\\{0,3}')`,
    (secret) => !/^[a-z_]+$/i.test(secret) || isRandom(secret),
  ),
  // netrc.
  command('netrc-password', ['login'], `login\\s{1,8}\\S{1,100}\\s{1,8}password\\s{1,8}${BARE}`),
]
