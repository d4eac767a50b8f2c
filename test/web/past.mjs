/** Four weeks in which a person proposed, confirmed, dismissed and left open, as they lie in ActivityWatch. */
const ACTIONS = [
  ['Walk to the river and back', 'You have been at the screen for three hours, and it has stopped raining.'],
  ['Call an old friend', 'You wanted to see friends more often.'],
  ['Water the plants', 'It is on your list for today.'],
  ['Read twenty pages', 'Two books a month, you said.'],
  ['Tidy one drawer', ''],
]
const MANY = 14

/** @param {string} url of the stand-in */
export async function fillPast(url) {
  const events = []
  for (let ago = 27; ago >= 1; ago--) {
    const count = ago === 1 ? MANY : (ago * 7) % 5
    for (let index = 0; index < count; index++) events.push(...proposal(ago, index))
  }
  const response = await fetch(`${url}/api/0/buckets/keel.events/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })
  if (!response.ok) throw new Error(`the events were not taken: ${response.status} ${await response.text()}`)
}

function proposal(ago, index) {
  const made = new Date()
  made.setDate(made.getDate() - ago)
  made.setHours(9 + (index % 12), (index * 17) % 60, 0, 0)
  const [next_action, rationale] = ACTIONS[(ago + index) % ACTIONS.length]
  const event = (_kind, minutes, data) => ({
    timestamp: new Date(made.getTime() + minutes * 60_000).toISOString(),
    duration: 0,
    data: { _kind, mode: 'offscreen', proposal_id: `${ago}-${index}`, ...data },
  })
  const ends = [
    event('action_taken', 3, { next_action }),
    event('proposal_dismissed', 12, { reason: 'too tired' }),
    undefined,
    event('action_taken', 26 * 60, { next_action }),
    event('confirm_begun', 1, { next_action }),
  ]
  // What was begun and never ended is seldom.
  const end = ends[(ago + 2 * index) % (ago === 1 ? 5 : 4)]
  return [event('proposal_made', 0, { next_action, rationale }), ...(end === undefined ? [] : [end])]
}
