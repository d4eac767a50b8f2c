import { type Check, fail, ok } from '../check.ts'

export const modeCheck: Check = {
  name: 'mode',
  run({ settings }) {
    if (settings.mode === 'local') return [ok('local: memory stays on this machine.')]
    return [fail('cloud, which this version does not offer yet.', `Set MEMU_MEMORY_MODE=local in ${settings.configFile}`)]
  },
}
