import { useCompileCache } from '../cli/compile-cache.ts'

useCompileCache()
void Promise.all([import('../cli/run.ts'), import('../keel/daemon/command.ts')]).then(([{ run }, { command }]) => run(command))
