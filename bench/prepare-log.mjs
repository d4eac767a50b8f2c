/**
 * A generated session log of Claude Code: many turns, long tool results logged twice as the program does, snapshots and
 * progress lines, some pictures, a few very long lines. The same bytes every time.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const WORDS =
  'the build failed because a module loads before its config file and tests run in watch mode cannot read property of undefined function returns promise import from path server port database migration index cache timeout retry request user session token branch merge commit deploy staging please use instead of always never prefer check log error line value type string number'.split(
    ' ',
  )
const START = Date.UTC(2026, 5, 1)
const PROJECTS = 12
/** The fourth turn of so many sessions has a result full of pictures: a line of 24 MB. */
const HUGE_IN = 200

/** Numbers in [0, 1) from a seed: a linear congruential generator, enough for a mix of lengths. */
function random(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Stretches of one long text, already escaped for JSON: making every word anew would take minutes. */
function textPool(length) {
  const next = random(1)
  let text = ''
  while (text.length < length) text += `${WORDS[Math.floor(next() * WORDS.length)]}${next() < 0.08 ? '\\n' : ' '}`
  return (at, size) => {
    const from = Math.floor(at * (text.length - size - 2))
    return text.slice(from, from + size).replace(/^n|\\$/g, ' ')
  }
}

/**
 * Writes `files` transcripts of together about `bytes` bytes under `projects/`.
 * @returns {{ bytes: number, paths: string[], append: (path: string) => string }} what was written, and a turn to append to one of them
 */
export function writeLog(projects, files, bytes) {
  const next = random(7)
  const text = textPool(4_000_000)
  const picture = Buffer.from(Array.from({ length: 900_000 }, () => Math.floor(next() * 256))).toString('base64')
  // Few sessions are long, most are short; together they have the size asked for.
  const weights = Array.from({ length: files }, () => Math.exp(2 * next() + 2 * next()))
  const sum = weights.reduce((a, b) => a + b)
  const paths = []
  let written = 0
  weights.forEach((weight, number) => {
    const project = join(projects, `-home-u-project-${number % PROJECTS}`)
    mkdirSync(project, { recursive: true })
    const session = sessionId(number)
    const path = join(project, `${session}.jsonl`)
    paths.push(path)
    const fd = openSync(path, 'w')
    const size = (bytes * weight) / sum
    let length = 0
    for (let turn = 0; length < size; turn++) {
      const lines = turnLines(session, number, turn, next, text, picture)
      length += writeSync(fd, lines)
    }
    closeSync(fd)
    written += length
  })
  const append = (path) => turnLines(path.slice(-41, -6), 0, 100_000, next, text, picture)
  return { bytes: written, paths, append }
}

function sessionId(number) {
  return `11111111-2222-4333-8444-${String(number).padStart(11, '0')}a`
}

/** One turn: a prompt, and some rounds of a call, its progress and its result, then the answer. */
function turnLines(session, number, turn, next, text, picture) {
  let line = turn * 64
  const envelope = (type) => {
    const at = new Date(START + number * 3_600_000 + line * 400).toISOString()
    const id = `${session}-${line++}`
    return `{"parentUuid":"${session}-${line - 2}","isSidechain":false,"userType":"external","cwd":"/home/u/project-${number % PROJECTS}","sessionId":"${session}","version":"2.1.197","gitBranch":"main","type":"${type}","uuid":"${id}","timestamp":"${at}"`
  }
  const said = (size) => text(next(), size)
  const assistant = (block) =>
    `${envelope('assistant')},"message":{"id":"msg_${session}-${line}","type":"message","role":"assistant","model":"m1","content":[${block}],"usage":{"input_tokens":10,"output_tokens":10}}}\n`
  let out = `{"type":"queue-operation","operation":"enqueue","timestamp":"${new Date(START).toISOString()}","sessionId":"${session}"}\n`
  const image =
    next() < 0.02
      ? `,{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${picture.slice(0, Math.floor(picture.length * next()))}"}}`
      : ''
  out += `${envelope('user')},"message":{"role":"user","content":[{"type":"text","text":"${said(40 + Math.floor(400 * next()))}"}${image}]}}\n`
  out += `{"type":"file-history-snapshot","messageId":"${session}-${line}","snapshot":{"trackedFileBackups":{"a":"${said(1500)}"}},"isSnapshotUpdate":false}\n`
  const rounds = 1 + Math.floor(6 * next())
  for (let round = 0; round < rounds; round++) {
    const call = `toolu_${session}-${line}`
    out += assistant(
      `{"type":"tool_use","id":"${call}","name":"Bash","input":{"command":"npm test -- ${said(20).replaceAll('\\n', ' ')}"}}`,
    )
    if (next() < 0.4) out += `${envelope('progress')},"data":{"type":"bash_progress","output":"${said(3000)}"}}\n`
    const huge = turn === 3 && round === 0 && number % HUGE_IN === 0 ? picture.repeat(10) : ''
    const result = said(200 + Math.floor(12_000 * next() ** 3)) + huge
    out += `${envelope('user')},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"${call}","content":"${result}"}]},"toolUseResult":{"stdout":"${result}","stderr":""}}\n`
  }
  return out + assistant(`{"type":"text","text":"${said(300 + Math.floor(900 * next()))}"}`)
}
