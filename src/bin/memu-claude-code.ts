import { hostMain } from '../host-cli/main.ts'

void hostMain('claude-code', 'memu-claude-code')
