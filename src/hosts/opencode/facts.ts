import { asText } from '../fields.ts'
import type { SessionFacts } from '../transcript-source.ts'

/** What a session is called until the model has named it. */
const UNNAMED = /^(?:New|Child) session - \d{4}-\d\d-\d\dT/

export function sessionFacts({ title, directory }: { readonly title?: unknown; readonly directory?: unknown }): SessionFacts {
  const name = asText(title)?.trim()
  const project = asText(directory)
  return { ...(name && !UNNAMED.test(name) && { title: name }), ...(project && { project }) }
}
