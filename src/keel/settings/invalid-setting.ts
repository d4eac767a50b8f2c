import { MemuError, reason } from '../../util/errors.ts'
import type { SettingKey } from './settings.ts'

/** A value that cannot be used. `code` is `invalid_backend` for a proposer that is none (the seed's ErrInvalidBackend), else `invalid_setting`. */
export class InvalidSetting extends MemuError {
  /** As in the file; for the field of a form. */
  readonly key: string

  constructor(key: string, message: string, options: { hint?: string; cause?: unknown; code?: string } = {}) {
    super(options.code ?? 'invalid_setting', message, { ...options, exit: 2 })
    this.name = 'InvalidSetting'
    this.key = key
  }

  override toJSON(): { code: string; message: string; hint?: string; key: string } {
    return { ...super.toJSON(), key: this.key }
  }
}

/** The result of `work`; what it throws is about the setting `key`. */
export async function about<Result>(key: SettingKey, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof InvalidSetting) throw error
    const { code, hint } = error instanceof MemuError ? error : { code: undefined, hint: undefined }
    throw new InvalidSetting(key, reason(error), {
      cause: error,
      ...(hint === undefined ? {} : { hint }),
      ...(code === 'invalid_backend' ? { code } : {}),
    })
  }
}
