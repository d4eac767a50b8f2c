import { useCompileCache } from '../cli/compile-cache.ts'

useCompileCache()
void import('../cli/main.ts').then(({ memuMain }) => memuMain())
