import type { Rule } from './rule.ts'
import { argumentRules } from './rules/arguments.ts'
import { assignmentRules } from './rules/assignments.ts'
import { callRules } from './rules/calls.ts'
import { codeRules } from './rules/codes.ts'
import { hashRules } from './rules/hashes.ts'
import { headerRules } from './rules/headers.ts'
import { keyRules } from './rules/keys.ts'
import { manifestRules } from './rules/manifests.ts'
import { outputRules } from './rules/outputs.ts'
import { proseRules } from './rules/prose.ts'
import { cloudRules } from './rules/provider-cloud.ts'
import { modelRules } from './rules/provider-models.ts'
import { serviceRules } from './rules/provider-services.ts'
import { sourceRules } from './rules/provider-source.ts'
import { settingRules } from './rules/settings.ts'
import { tableRules } from './rules/tables.ts'
import { tokenRules } from './rules/tokens.ts'
import { urlRules } from './rules/urls.ts'

export { knownValueRules } from './rules/known-values.ts'

/**
 * Goes up with every change to what is removed, so that what was redacted under older rules can be told and redacted again.
 * `test/redaction/version.test.ts` knows the rules of each version by a digest, and fails where they change without it.
 */
export const RULES_VERSION = 4

/** All rules; where two find the same, the earlier one names it: the special before the general. */
export const RULES: readonly Rule[] = [
  ...keyRules,
  ...sourceRules,
  ...modelRules,
  ...cloudRules,
  ...serviceRules,
  ...tokenRules,
  ...hashRules,
  ...urlRules,
  ...headerRules,
  ...argumentRules,
  ...callRules,
  ...assignmentRules,
  ...settingRules,
  ...manifestRules,
  ...tableRules,
  ...outputRules,
  ...codeRules,
  ...proseRules,
]
