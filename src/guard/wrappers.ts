/** Programs that run another one, whose command line stands in theirs. */
import type { Word } from './shell-words.ts'

/** What runs the command that follows it: how many words of its own come first, and which of its options take a word. */
export interface Wrapper {
  readonly operands?: number
  readonly valued?: RegExp
  /** With one of these options it asks about the command and runs nothing: `command -v memu`. */
  readonly asking?: RegExp
  /** Only with one of these as its first word: `npm exec`, but not `npm install`. */
  readonly verbs?: RegExp
  /** Without such a word it runs what its first word names: `pnpm memu`. */
  readonly bare?: true
}

const RUNNERS: Wrapper = { valued: /^(?:-p|--package|-C|--prefix|--dir|--filter|-F)$/ }
const PACKAGES: Wrapper = { ...RUNNERS, verbs: /^(?:exec|x|dlx|run)$/ }
const CONTAINERS: Wrapper = {
  operands: 1,
  valued: /^(?:-[euvwplnc]|--(?:env|user|workdir|volume|name|network|entrypoint|mount|publish|env-file|namespace|container))$/,
  verbs: /^(?:exec|run)$/,
}
const NODE: Wrapper = { valued: /^(?:-r|--require|--import|--loader|--env-file|-C|--conditions)$/ }

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { valued: /^(?:-u|--unset|-C|--chdir|-S)$/ },
  sudo: { valued: /^-[ughpCTUrt]$/ },
  doas: { valued: /^-[uC]$/ },
  time: { valued: /^-[fo]$/ },
  timeout: { operands: 1, valued: /^(?:-k|-s|--kill-after|--signal)$/ },
  gtimeout: { operands: 1, valued: /^(?:-k|-s)$/ },
  nice: { valued: /^-n$/ },
  ionice: { valued: /^-[cnp]$/ },
  stdbuf: { valued: /^-[ioe]$/ },
  exec: { valued: /^-a$/ },
  xargs: { valued: /^-[aEdILnPs]$/ },
  watch: { valued: /^(?:-n|--interval)$/ },
  strace: { valued: /^-[eopsuE]$/ },
  nohup: {},
  command: { asking: /^-p?[vV]/ },
  builtin: {},
  setsid: {},
  caffeinate: {},
  unbuffer: {},
  winpty: {},
  call: {},
  start: {},
  'start-process': {},
  'systemd-run': { valued: /^-[pMHu]$/ },
  parallel: { valued: /^(?:-[jnNSaI]|--jobs)$/ },
  chroot: { operands: 1 },
  flock: { operands: 1, valued: /^-[wE]$/ },
  runuser: { valued: /^-[ugGs]$/ },
  script: { valued: /^-[OIBTmEo]$/ },
  su: { operands: 1, valued: /^-[gGsw]$/ },
  ssh: { operands: 1, valued: /^-[bcDEeFIiJLlmOopQRSWw]$/ },
  docker: CONTAINERS,
  podman: CONTAINERS,
  kubectl: { ...CONTAINERS, verbs: /^exec$/ },
  wsl: { valued: /^(?:-d|-u|--cd)$/ },
  npx: RUNNERS,
  pnpx: RUNNERS,
  bunx: RUNNERS,
  npm: PACKAGES,
  pnpm: { ...PACKAGES, bare: true },
  yarn: { ...PACKAGES, bare: true },
  bun: { ...PACKAGES, bare: true },
  corepack: {},
  volta: { verbs: /^run$/ },
  mise: { verbs: /^(?:exec|x)$/ },
  asdf: { verbs: /^exec$/ },
  nvm: { operands: 1, verbs: /^exec$/ },
  fnm: { valued: /^--using$/, verbs: /^exec$/ },
  direnv: { operands: 1, verbs: /^exec$/ },
  dotenv: { valued: /^-[ef]$/ },
  op: { valued: /^--(?:env-file|account)$/, verbs: /^run$/ },
  doppler: { valued: /^-[pc]$/, verbs: /^run$/ },
  uv: { verbs: /^run$/ },
  uvx: {},
  pipx: { verbs: /^run$/ },
  node: NODE,
  nodejs: NODE,
  tsx: NODE,
  deno: { verbs: /^run$/ },
}

/** Where the command that a wrapper runs begins; undefined where it runs none. */
export function wrapped(words: readonly Word[], start: number, { operands = 0, valued, verbs, bare, asking }: Wrapper): number | undefined {
  let at = start
  let left = operands
  let verb = verbs === undefined
  for (; at < words.length; at++) {
    const word = words[at]?.text ?? ''
    if (word.startsWith('-')) {
      if (asking?.test(word)) return undefined
      if (valued?.test(word) || /^(?:-c|--call)$/.test(word)) at++
    } else if (!verb) {
      if (!verbs?.test(word)) return bare ? at : undefined
      verb = true
    } else if (left > 0) left--
    else return at
  }
  return at
}
