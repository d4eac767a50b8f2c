// Stands in for Marvin's program: `<this> [--form=csv|json|ndjson|text] [--trouble=…] today|due --csv` and `… add task <title>`.
// Its tasks lie in the file that STAND_IN_TASKS names, one JSON object a line.
import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'

const flags = process.argv.slice(2).filter((word) => /^--(form|trouble)=/.test(word))
const others = process.argv.slice(2 + flags.length)
const [verb, ...rest] = others
const flag = (name) => flags.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const store = process.env.STAND_IN_TASKS
const tasks = () =>
  readFileSync(store, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const forever = () => setInterval(() => {}, 1000)
const trouble = flag('trouble')

if (trouble === 'fails') {
  process.stderr.write('error: Uncaught (in promise)\n  at one\n  at two\nYour token --secret-token-1234 was refused\u001b[31m\n')
  process.exitCode = 1
} else if (trouble === 'repeats') {
  process.stderr.write(`do not know ${others.slice(0, 3).join(' ')}\n`)
  process.exitCode = 2
} else if (trouble === 'exit-137' && verb === 'add') {
  add()
  process.exitCode = 137
} else if (trouble === 'hangs') {
  if (verb === 'add') add()
  forever()
} else if (trouble === 'grandchild') {
  // Neither it nor its child ends when it is asked to; the child holds the pipe open.
  process.on('SIGTERM', () => {})
  const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'inherit' })
  writeFileSync(`${store}.pids`, `${process.pid} ${child.pid}`)
  forever()
} else if (trouble?.startsWith('floods')) {
  if (trouble === 'floods-deaf') process.on('SIGTERM', () => {})
  else process.stdout.on('error', () => process.exit(0))
  const text = 'flood '.repeat(2000) + (trouble === 'floods-lines' ? '\n' : '')
  const flood = () => {
    while (process.stdout.write(text));
  }
  process.stdout.on('drain', flood)
  flood()
} else if (trouble === 'reads') {
  for await (const chunk of process.stdin) process.stderr.write(chunk)
  print()
} else if (trouble === 'only-today' && verb === 'due') {
  process.exitCode = 1
} else if (trouble === 'console') {
  console.log([{ _id: 'a', title: 'Unquoted', note: undefined }])
} else if (trouble === 'killed-add' && verb === 'add') {
  add()
  process.kill(process.pid, 'SIGKILL')
} else if (verb === 'add') {
  add()
  console.log(flag('form') === 'json' ? JSON.stringify({ _id: 'made', title: rest[1] }, null, 2) : 'Added.')
} else print()

function add() {
  appendFileSync(store, `${JSON.stringify({ title: rest[1], argv: rest })}\n`)
}

function print() {
  console.log('Creating cache')
  const listed = tasks().filter((task) => (verb === 'due') === (task.due !== undefined))
  const form = flag('form') ?? 'csv'
  if (form === 'json') console.log(JSON.stringify(listed, null, 2))
  else if (form === 'ndjson') for (const task of listed) console.log(JSON.stringify(task))
  else if (form === 'text') for (const task of listed.filter(({ done }) => !done)) console.log(task.title)
  else {
    console.log('ID,TITLE,DONE,DONE_AT,SCHEDULE_DATE,DUE_DATE,PRIORITY,FROG')
    for (const { id = '', title, done = false, due = '' } of listed) console.log([id, quoted(title), done, '', '', due, '', ''].join(','))
  }
}

function quoted(text) {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
