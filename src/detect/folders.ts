/** Which folders are agents' own: what a survey looks into. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Budget } from './budget.ts'
import type { Places } from './places.ts'

/** Folders of other programs, and of keys: never looked into. Without the dot that they may begin with. */
const NOT_AGENTS: ReadonlySet<string> = new Set([
  ...(
    'ssh gnupg aws azure kube docker gcloud password-store pki keyrings gh op 1Password Bitwarden config local cache memu ' +
    'agents git Trash var dbus pulse gvfs fonts themes icons thumbnails npm nvm yarn pnpm pnpm-store bun deno node node-gyp ' +
    'cargo rustup go pyenv conda rbenv gem bundle m2 gradle sdkman ivy2 sbt nuget dotnet composer cpan ghcup cabal stack ' +
    'opam vscode vscode-server vscode-oss Code VSCodium Cursor Windsurf JetBrains vim nvim emacs.d oh-my-zsh mozilla ' +
    'firefox thunderbird google-chrome chromium BraveSoftware Slack discord Signal Spotify Steam steam wine cups java ' +
    'jupyter ipython matplotlib android terraform.d vagrant.d ansible Microsoft Google Apple com.apple.sharedfilelist ' +
    'CloudDocs MobileSync AddressBook CallHistoryDB Mail'
  ).split(' '),
  'Code - Insiders',
])
/** So many folders of a home or a configuration folder are candidates, among so many entries; files beside them count to the latter alone. */
const MOST = 1_000
const AMONG = 10_000

/** The folders in which an agent that nobody knows may keep its things. */
export function candidates({ home, config, data, support }: Places, budget: Budget): string[] {
  const found = subfolders(home, budget, (name) => name.startsWith('.'))
  for (const root of new Set([config, data, support])) found.push(...subfolders(root, budget))
  return found
}

function subfolders(root: string, budget: Budget, takes: (name: string) => boolean = () => true): string[] {
  const { entries, more } = budget.list(root, {
    takes: (entry) => entry.isDirectory() && takes(entry.name) && !NOT_AGENTS.has(entry.name.replace(/^\./, '')),
    most: MOST,
    among: AMONG,
  })
  if (more) budget.passOver()
  return entries.map(({ name }) => join(root, name)).sort()
}

/** Whether there is a folder, or a link that stands for one. */
export function isFolder(path: string): boolean {
  try {
    return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false // Not to be looked at: then nothing can be said of it.
  }
}

export function isLink(path: string): boolean {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  } catch {
    return false
  }
}
