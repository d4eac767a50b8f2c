/** Where keys usually lie below the home. A run without a person has no business there: what it reads, a model sees. */
export const KEY_FOLDERS = ['~/.ssh', '~/.gnupg', '~/.aws', '~/.azure', '~/.kube', '~/.docker'] as const
export const KEY_FILES = ['~/.netrc', '~/.npmrc'] as const
