import { hostMain } from '../host-cli/main.ts'

void hostMain('codex', 'memu-codex')
