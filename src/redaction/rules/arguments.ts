import type { PatternRule, Rule } from '../rule.ts'
import { isPassword, isPhrase, isRandom, isStandIn, isWordPassword } from '../strength.ts'
import { isWords } from '../words.ts'

/** On the same line, as far as another command. */
const SAME = '[^\\n|;]{0,200}?'
/** Up to a space, or to the quote that it began with. */
const VALUE = '(?:(?<quote>\\\\{0,3}["\'])(?<secret>(?:(?!\\k<quote>)[^\\n]){3,300})|(?<bare>[^\\s"\'`|;<>\\\\]{3,300}))'

/** The same without a space in quotes, so that what is quoted is not taken for it. */
const VALUE_WORD = '(?<secret>[^\\s"\'`|;<>\\\\&,]{4,300})'

function command(hints: readonly string[], pattern: string, check: PatternRule['check'] = isGiven, name = 'argument'): Rule {
  return { name, hints, pattern: new RegExp(pattern, 'i'), check }
}

/** Where only a secret can stand: whatever is no placeholder. */
function isGiven(secret: string, match?: RegExpExecArray): boolean {
  if (isStandIn(secret)) return false
  return match?.groups?.quote === undefined ? !/^[-/]/.test(secret) : !/^-{1,2}[a-z][a-z-]*$|^\/[\w./-]*$/.test(secret)
}

/** Where something else might stand as well. */
function isPasswordOnly(secret: string): boolean {
  return isPassword(secret)
}

/** Where another option might stand, or what it is for. */
function isWord(secret: string): boolean {
  return isPassword(secret) || isPhrase(secret) || isWordPassword(secret)
}

/** Where a sentence might go on as well: “use --token to …”. */
function isOption(secret: string, match: RegExpExecArray): boolean {
  // What a store calls it: `--secret my-secret-name-1`.
  if (/^[a-z]+(?:[-_][a-z]+)+(?:[-_]\d{1,2})?$/.test(secret) && /secret|token|key|name|cred/.test(secret) && isWords(secret)) return false
  if (isPassword(secret)) return true
  if (match.groups!.bare === undefined) return isPhrase(secret) || (isGiven(secret) && !/\s/.test(secret) && !isWords(secret))
  if (/pass(?:word|wd|phrase)?[ =]{1,2}$/i.test(match[0].slice(0, -secret.length)) && isWordPassword(secret) && isLastOrFollowed(match))
    return true
  return /(?:pass\w*|pwd)=$/i.test(match[0].slice(0, -secret.length)) && isGiven(secret) && secret.length >= 5 && /^\w+$/.test(secret)
}

/** Nothing but other options come behind: no sentence goes on. */
function isLastOrFollowed(match: RegExpExecArray): boolean {
  return /^(?:\s*$|\s*\n|\s+(?:-|[|&;<>\\]|https?:))/.test(
    match.input.slice(match.index + match[0].length, match.index + match[0].length + 40),
  )
}

const OPTION_HINTS =
  '--pass -pass --pwd --token --secret --key --api --auth --access --client --private --cred --src --dest --bearer --admin --db --user --service --registry --github --jwt --root --npm --storage --account --master --encryption --bot --webhook --http-pass --ftp-pass --proxy-pass --aws -accesskey -secretkey --psk --pat -pw'.split(
    ' ',
  )

/** Secrets given to programs: long options of any program, short ones of those that are known to take them. */
export const argumentRules: readonly Rule[] = [
  command(
    OPTION_HINTS,
    `-{1,2}(?:[a-z]{1,15}-){0,4}(?:pass(?:word|wd|phrase|code)?|pwd|pw|token|secret|psk|pat|(?:api|access|secret|account|master|auth|private|client|encryption|storage)[-_]?key|auth|cred(?:ential)?s?|bearer|jwt)(?:-(?:key|value|text|string))?(?:=|[ \\t]{1,3}|\\\\{0,3}["'],[ \\t]{0,3})${VALUE}`,
    isOption,
  ),
  command(['-storepass', '-keypass', '-srcstorepass', '-deststorepass'], `-(?:src|dest)?(?:store|key)pass[ \\t]{1,3}${VALUE}`),
  command(['-passin', '-passout', '-pass '], `-pass(?:in|out)?[ \\t]{1,3}\\\\{0,3}["']?pass:(?<secret>[^\\s"'\\\\]{2,300})`),
  command(['mysql', 'mariadb'], `(?:mysql|mariadb)[a-z]{0,10} ${SAME}(?<=\\s)-p${VALUE}`),
  command(['sshpass'], `sshpass ${SAME}(?<=\\s)-p[ \\t]{0,2}${VALUE}`),
  command(['redis-cli'], `redis-cli ${SAME}(?<=\\s)-a[ \\t]{1,2}${VALUE}`),
  command(['mongo'], `mongo[a-z]{0,8} ${SAME}(?<=\\s)-p[ \\t]{0,2}${VALUE}`, isPasswordOnly),
  command(['ldap'], `ldap[a-z]{3,8} ${SAME}(?<=\\s)-w[ \\t]{0,2}${VALUE}`),
  command(['sqlcmd', 'bcp '], `(?:sqlcmd|bcp) ${SAME}(?<=\\s)-P[ \\t]{0,2}${VALUE}`),
  command(['zip -', '7z ', '7za ', 'rar '], `(?:zip|7z|7za|rar) ${SAME}(?<=\\s)-(?:h?p|P)[ \\t]{0,2}${VALUE}`, isWord),
  command(['htpasswd'], `htpasswd[ \\t]{1,3}-[a-z]{0,6}b[a-z]{0,6}[ \\t]{1,3}(?:\\S{1,100}[ \\t]{1,3}){1,2}${VALUE}`),
  command(['openssl '], `openssl ${SAME}(?<=\\s)-k[ \\t]{1,2}${VALUE}`),
  command(['ssh-keygen'], `ssh-keygen ${SAME}(?<=\\s)-[NP][ \\t]{0,2}${VALUE}`),
  command(['net user'], `net user \\S{1,60}[ \\t]{1,3}${VALUE}`, isPasswordOnly),
  command([' /p:', ' /pass:', ' /password:'], ` /p(?:ass(?:word)?)?:${VALUE}`, isPasswordOnly),
  command(['http-basic.'], `http-basic\\.\\S{1,100}[ \\t]{1,3}\\S{1,100}[ \\t]{1,3}${VALUE}`),
  command(['lftp '], `lftp ${SAME}-u[ \\t]{0,2}["']?[^\\s,"']{1,60},(?<secret>[^\\s"']{2,200})`),
  command(['authtoken '], `authtoken[ \\t]{1,3}${VALUE}`, (secret) => isRandom(secret)),
  command(
    ['--value ', '--secret-string '],
    `(?<=(?:secret|password|token|key)[^\\n]{0,200})--(?:value|secret-string)[ \\t]{1,3}${VALUE}`,
    isPasswordOnly,
  ),
  command(['user-secrets set'], `user-secrets set[ \\t]{1,3}["']?[^\\s"']{1,100}["']?[ \\t]{1,3}${VALUE}`, isPasswordOnly),
  command([' login '], ` login[ \\t]{1,3}${VALUE}`, (secret) => isRandom(secret, 20)),
  command(['net use'], `net use ${SAME}/user:\\S{1,100}[ \\t]{1,3}${VALUE}`, (secret) => isGiven(secret)),
  command(['net use'], `net use (?:[a-z]: )?\\\\\\\\\\S{1,100}[ \\t]{1,3}(?<secret>[^\\s"'/]\\S{2,100})(?= /user:)`),
  // Settings that are given one by one, and secrets that are stored: `--set auth.password=…`, `-e "db_password=…"`.
  command(
    ['--set', '-var', ' -e ', '--env ', '--from-literal', '--extra-vars', '--build-arg', 'kv put ', 'tf_var_', ' -d '],
    `(?:--set(?:-string)?|-var| -e|--env|--from-literal|--extra-vars|--build-arg|kv put \\S{1,100}| -d|(?=TF_VAR_))[ =]{0,2}["']?(?:[\\w.\\[\\]-]{1,60}=[^\\s"'&]{0,80}[&, ])?[\\w.\\[\\]-]{0,60}(?:password|passwd|pass|pwd|secret)=${VALUE_WORD}`,
    isWord,
  ),
  command(['requirepass'], `requirepass(?:["'],)?[ \\t=]{1,3}${VALUE}`, isWord),
  command(
    ['auth ', '> auth'],
    `(?<=(?:^|\\n|> ?|"|\\\\n))AUTH(?: default)? (?<secret>[^\\s"'|;<>\\\\]{5,200})(?=\\s{0,3}(?:$|\\n|"|\\\\n))`,
    isPasswordOnly,
  ),
  command(['useradd '], `useradd ${SAME}(?<=\\s)-p[ \\t]{1,2}${VALUE}`, isPasswordOnly),
  command(['setairportnetwork'], `setairportnetwork \\S{1,10} (?:"[^"\\n]{1,60}"|\\S{1,60}) ${VALUE}`, isPasswordOnly),
  command(['alias set '], `alias set \\S{1,60} \\S{1,120} \\S{1,100} ${VALUE}`, isGiven),
  command(['nuget push', 'unseal '], `(?:nuget push ${SAME}(?<=\\s)-k|unseal)[ \\t]{1,2}${VALUE}`, (secret) => isRandom(secret)),
  command(['_access_key ', '_secret '], `(?<=config create [^\\n]{0,200})(?:_access_key|_secret)[ =]${VALUE}`, (secret) =>
    isRandom(secret),
  ),
  command(['secret set ', 'variable set '], `(?:secret|variable) set [A-Z0-9_]{2,60} ${SAME}(?:--body|-b)[ =]{0,2}${VALUE}`, isWord),
  command(['rabbitmqctl'], `rabbitmqctl (?:add_user|change_password) \\S{1,100}[ \\t]{1,3}${VALUE}`),
  // A user and then a password, as logins of registries and feeds take them.
  command(
    [' login', ' -u ', ' --username'],
    `(?: login ${SAME}|(?<!(?:mysql|mariadb)[a-z]{0,10}) (?:-u|--username)[ =]\\S{1,100}) (?:-p[ \\t]{0,2}|--pass(?:word)?[ =]{1,2})${VALUE}`,
    (secret, match) => isGiven(secret) && secret.length >= 4 && !/^\d{4,5}$/.test(secret) && !/--username (?:and|or) /.test(match[0]),
  ),
  command(
    ['curl', 'wget', 'http '],
    `(?:curl|wget|http) ${SAME}(?<=\\s)(?:-u|--user|-a|--proxy-user)(?:=|[ \\t]{0,2})(?:(?<quote>\\\\{0,3}["'])[^\\s:"']{1,100}:(?<secret>(?:(?!\\k<quote>)[^\\n]){2,300})|[^\\s:"']{1,100}:(?<bare>[^\\s"'\`|;<>\\\\]{2,300}))`,
  ),
  command(
    ['smbclient', 'mount.cifs', 'rpcclient'],
    `(?:smbclient|rpcclient) ${SAME}-U[ \\t]{0,2}["']?[^\\s%"']{1,60}%(?<secret>[^\\s"']{2,200})`,
  ),
  // To standard input.
  command(
    ['echo ', 'printf ', '<<<'],
    `(?:echo|printf)[ \\t]{1,3}(?:-[ne]{1,2}[ \\t]{1,3})?(?:["']%s(?:\\\\n)?["'][ \\t]{1,3})?${VALUE}(?=["']?[ \\t]{0,3}\\|[ \\t]{0,3}(?:sudo[ \\t]{1,3}(?:-[A-Za-z][ \\t]{1,3})?-S|[^\\n|]{1,80}--password-stdin|[^\\n|]{1,80}--with-token|passwd|cryptsetup))`,
  ),
  command(
    ['echo ', 'printf '],
    `(?:echo|printf)[ \\t]{1,3}(?:-[ne]{1,2}[ \\t]{1,3})?["']?[^\\s:"']{1,60}:(?<secret>[^\\s"'|]{2,200})(?=["']?[ \\t]{0,3}\\|[ \\t]{0,3}(?:sudo[ \\t]{1,3})?chpasswd)`,
  ),
  command(['<<<'], `(?<=(?:--password-stdin|--with-token|-S)[^\\n]{0,20})<<<[ \\t]{0,3}${VALUE}`),
  command(
    ['assword:', 'assword:*'],
    `assword:[^\\n]{0,20}\\s{0,20}(?:[^\\n]{0,20}\\s{1,20})?send(?:line)?[ (]{1,3}(?:-- )?["'](?<secret>[^"'\\\\\\n]{4,200})`,
    isWord,
  ),
  command(['convertto-securestring'], `ConvertTo-SecureString[ \\t]{1,3}(?:-String[ \\t]{1,3})?["'](?<secret>[^"'\\n]{3,300})`),
  // SQL of the common servers.
  command(
    ['identified by', 'identified with'],
    `identified (?:with \\S{1,40} )?by (?:password )?\\\\{0,3}["'](?<secret>[^"'\\\\]{3,300})`,
    isGiven,
    'sql-password',
  ),
  command(
    ['password'],
    `password(?:[ \\t]{1,3}|[ \\t]{0,3}\\([ \\t]{0,3}| for \\S{1,80} = )\\\\{0,3}'(?<secret>[^'\\\\\\s]{3,300})(?=\\\\{0,3}')`,
    (secret, match) =>
      isPassword(secret) ||
      (/(?:user|role|login)\s[^;\n]{1,80}$/i.test(match.input.slice(Math.max(match.index - 120, 0), match.index)) &&
        isWordPassword(secret)),
    'sql-password',
  ),
  // IPsec's and Postfix's files.
  command([' psk '], ` PSK[ \\t]{1,8}["'](?<secret>[^"'\\n]{3,300})`),
  command(
    [':587 ', ':465 ', ':25 ', ':587\t', ':465\t'],
    `:\\d{2,4}[ \\t]{1,8}[^\\s:@]{1,80}@?[^\\s:@]{0,80}:(?<secret>[^\\s:"'\`]{3,200})`,
    isPasswordOnly,
  ),
  // Files that hold nothing else: netrc and PostgreSQL's.
  command(['login'], `login\\s{1,8}\\S{1,100}\\s{1,8}password\\s{1,8}${VALUE}`, isGiven, 'netrc-password'),
  command(
    [':5432:', ':5433:', ':6432:', ':*:'],
    `:(?:\\d{4,5}|\\*):[^\\s:]{1,64}:[^\\s:]{1,64}:(?<secret>[^\\s:"'\`]{3,200})`,
    isGiven,
    'pgpass',
  ),
]
