/** Asks memory what was said, by the program that the agents call. */
import { expect } from './steps.mjs'

/** Asks `binary` for everything that must be known of the conversations; throws for the first thing that does not come back. */
export async function findsAll(world, binary, talks) {
  for (const { facts, skill, resource } of talks) {
    for (const { question, sentence } of facts) {
      const { segments } = await retrieve(world, binary, question)
      const found = segments.some((segment) => segment.text.includes(sentence))
      expect(found, `"${question}" finds "${sentence}"`, segments)
    }
    if (skill !== undefined) {
      const { files } = await retrieve(world, binary, `the checks say ${skill}`)
      const found = files.some((file) => file.track === 'skill' && file.description.includes(skill))
      expect(found, `${skill} finds a skill`, files)
    }
    if (resource !== undefined) {
      const { resources } = await retrieve(world, binary, resource)
      const found = resources.some(({ caption }) => caption.includes(resource))
      expect(found, `"${resource}" finds the document`, resources)
    }
  }
}

/** Asks `binary` for the very words; throws where memory holds what nobody has said. */
export async function findsNone(world, binary, talks) {
  for (const { sentence } of talks.flatMap((talk) => talk.facts)) {
    const found = await retrieve(world, binary, sentence)
    expect(!JSON.stringify(found).includes(sentence), 'what was never said is not found', found)
  }
}

async function retrieve(world, binary, question) {
  const { stdout } = await world.succeed([binary, 'retrieve', question])
  return JSON.parse(stdout)
}
