import { useCompileCache } from '../cli/compile-cache.ts'

useCompileCache()
void Promise.all([import('../cli/run.ts'), import('../keel/daemon.ts')]).then(([{ run }, { keeld }]) => run(keeld))
