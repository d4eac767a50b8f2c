import { useCompileCache } from '../cli/compile-cache.ts'

useCompileCache()
void import('../host-cli/main.ts').then(({ hostMain }) => hostMain('cola', 'memu-cola'))
