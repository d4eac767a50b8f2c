/** The part of ActivityWatch's query language that both servers know and that is used here: assignments, one call each. */

/**
 * @param {string} program
 * @param {{ start: number, end: number, bucket: (id: string) => import('./fake-aw.mjs').StoredEvent[] | undefined, failure: (message: string) => Error }} world
 */
export function runQuery(program, { start, end, bucket, failure }) {
  const variables = new Map()
  const functions = {
    query_bucket(id) {
      const events = bucket(id)
      if (events === undefined) throw failure(`no bucket ${id}`)
      return events
        .map(({ time, duration, data }) => clipped({ time, end: time + duration * 1000, data }, start, end))
        .filter(({ time, end }) => end > time)
    },
    flood: (events) => events,
    filter_keyvals: (events, key, values) => events.filter(({ data }) => values.includes(data[key])),
    filter_period_intersect: (events, periods) =>
      events.flatMap((event) => periods.map((period) => clipped(event, period.time, period.end)).filter(({ time, end }) => end > time)),
    merge_events_by_keys(events, keys) {
      const merged = new Map()
      for (const { time, end, data } of events) {
        const picked = Object.fromEntries(keys.map((key) => [key, data[key]]))
        const name = JSON.stringify(picked)
        const known = merged.get(name)
        merged.set(name, { time: known?.time ?? time, end: (known?.end ?? time) + end - time, data: picked })
      }
      return [...merged.values()]
    },
    sort_by_duration: (events) => [...events].sort((a, b) => b.end - b.time - (a.end - a.time)),
  }
  const value = (text) => {
    const trimmed = text.trim()
    if (variables.has(trimmed)) return variables.get(trimmed)
    try {
      return JSON.parse(trimmed)
    } catch {
      throw failure(`unknown variable ${trimmed}`)
    }
  }
  const evaluate = (expression) => {
    const call = /^(\w+)\((.*)\)$/s.exec(expression)
    if (call !== null) {
      const run = functions[call[1]]
      if (run === undefined) throw failure(`unknown function ${call[1]}`)
      return run(...argumentsOf(call[2]).map(value))
    }
    const dictionary = /^\{(.*)\}$/s.exec(expression)
    if (dictionary === null) return value(expression)
    return Object.fromEntries(
      argumentsOf(dictionary[1]).map((field) => [JSON.parse(field.split(':')[0].trim()), value(field.split(':')[1]).map(asJson)]),
    )
  }
  for (const statement of program.split(';').filter((text) => text.trim() !== '')) {
    const [, name, expression] = /^\s*(\w+)\s*=\s*(.*?)\s*$/s.exec(statement) ?? []
    if (name === undefined) throw failure(`cannot read ${statement}`)
    variables.set(name, evaluate(expression))
  }
  return variables.get('RETURN')
}

function clipped(event, start, end) {
  return { ...event, time: Math.max(event.time, start), end: Math.min(event.end, end) }
}

function asJson({ time, end, data }) {
  return { id: null, timestamp: new Date(time).toISOString(), duration: (end - time) / 1000, data }
}

/** At commas that are in no list and no string. */
function argumentsOf(text) {
  return text.match(/(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^,])+/g) ?? []
}
