/**
 * The desk of a scripted worker: its tools are those of the real program, its memory is what their results said. The worker is a
 * generator that reads from top to bottom; each request of the program resumes it with the newest result.
 */

/** Thrown where a script breaks its own rules or does not find what it was promised; it fails the step. */
export class ScriptError extends Error {}

/**
 * The script that lets `work(desk)` answer one run of a program, from its first request to its last.
 * `work` yields calls through the desk's functions and returns its closing words.
 */
export function atDesk(agent, work) {
  const replies = []
  let results = []
  let worker
  const desk = {
    prompt: '',
    shell: function* (command) {
      return agent.tools.output(yield agent.tools.shell(command))
    },
    read: function* (path) {
      return agent.tools.contents(yield agent.tools.read(path))
    },
    /** Writes a file of `lines`. Each must be copied: only marks of markdown and front matter are the script's own. */
    write: function* (path, lines) {
      for (const line of lines) mustBeCopied(line, results)
      return yield agent.tools.write(path, `${lines.join('\n')}\n`)
    },
    /** Appends one copied line to a file, by the shell. */
    append: function* (path, line) {
      mustBeCopied(line, results)
      return yield agent.tools.shell(`printf '%s\\n' ${quoted(line)} >> ${quoted(path)}`)
    },
  }
  return (turn) => {
    if (turn.tools.length === 0) return { say: 'Nothing to add.' }
    results = turn.events.filter((event) => event.kind === 'result').map((event) => event.text)
    const step = results.length
    if (worker === undefined) {
      desk.prompt = turn.events
        .filter((event) => event.kind === 'user')
        .map((event) => event.text)
        .join('\n')
      worker = work(desk)
    }
    // A program that repeats a request gets the same answer again.
    if (step < replies.length) return replies[step]
    const { value, done } = worker.next(results.at(-1))
    replies.push(done ? { say: value ?? 'Done.' } : { call: value })
    return replies[step]
  }
}

const marks = /^(?:- |name: |description: |path: |# )?/

/** Throws unless the line stands in a tool result of this run; a slice holds text in JSON, so its escapes are undone too. */
export function mustBeCopied(line, results) {
  const text = line.replace(marks, '')
  if (text === '' || text === '---' || text === 'null') return
  if (!results.some((result) => result.includes(text) || unescaped(result).includes(text))) {
    throw new ScriptError(`the script would write a line that it has not read: ${line}`)
  }
}

function unescaped(text) {
  return text.replace(/\\(["\\/])/g, '$1').replace(/\\n/g, '\n')
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}
