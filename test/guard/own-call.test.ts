import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownCall } from '../../src/guard/own-call.ts'
import { ownFiles } from '../../src/guard/own-files.ts'
import { shellCommands } from '../../src/guard/shell-words.ts'

const HOME = '/home/dev'
const ROOTS = ['/home/dev/.memu/hosts/codex', '/srv/notes/agent-tree', '/home/dev/my tree']
const isOwn = ownCall(ownFiles(ROOTS, HOME), ROOTS)
const shell = (command: string): boolean => isOwn('Bash', command)

describe('command lines that run a program of ours', () => {
  it.each([
    'memu retrieve "how do we deploy"',
    'memu-claude-code retrieve x',
    'memu-codex job-done 3 --run 1',
    '/usr/local/bin/memu list-files',
    '~/.npm-global/bin/memu-codex prepare',
    "C:\\Users\\dev\\AppData\\Roaming\\npm\\memu.cmd retrieve 'x'",
    '& "C:\\Program Files\\nodejs\\memu-codex.ps1" retrieve x',
    'memu.cmd retrieve x',
    'command memu doctor',
    'cd /srv/app && memu retrieve x',
    'npm test; memu doctor',
    'memu retrieve x | jq .segments',
    'echo q | memu retrieve -',
    'memu retrieve x > /tmp/out.json 2>&1',
    'MEMU_DB=/tmp/x.db memu retrieve x',
    'env -u HTTP_PROXY A=b memu retrieve x',
    'sudo -u dev memu doctor',
    'timeout -k 5 30 memu-codex bridge',
    'nohup memu-codex bridge &',
    'time -f %e memu retrieve x',
    'npx memu retrieve x',
    'npx -y memu@latest retrieve x',
    'npx -y -p memu memu-codex prepare',
    'npx -c "memu retrieve x"',
    'npm exec --yes memu -- retrieve x',
    'pnpm dlx memu retrieve x',
    'yarn dlx memu retrieve x',
    'bunx memu retrieve x',
    'node /opt/memu/dist/bin/memu-codex.cjs retrieve x',
    'node --no-warnings -r ./hook.cjs dist/bin/memu.cjs doctor',
    'bash -lc "cd /srv && memu retrieve \'x y\'"',
    "sh -c 'memu doctor'",
    'zsh -ic "memu doctor"',
    `bash -lc 'bash -c "memu doctor"'`,
    'cmd /c memu retrieve x',
    'powershell -NoProfile -Command memu retrieve x',
    'wsl -d Ubuntu memu doctor',
    'eval "memu doctor"',
    "bash <<'EOF'\nset -e\nmemu retrieve x\nEOF",
    'if memu doctor; then echo fine; fi',
    '! memu doctor',
    '(cd x; memu doctor)',
    '{ memu doctor; }',
    'for q in a b; do memu retrieve "$q"; done',
    'echo "$(memu retrieve x)"',
    'X=`memu retrieve x`; echo $X',
    'diff <(memu list-files) old.txt',
    'printf "a\\nb" | xargs -n 1 memu retrieve',
    '"memu" doctor',
    'cat > a.txt <<EOF\ntext\nEOF\nmemu doctor',
    'pnpm memu retrieve x',
    'pnpm -C dir exec memu retrieve x',
    'yarn memu retrieve x',
    'corepack pnpm exec memu retrieve x',
    'function f { memu retrieve x; }; f',
    'find . -name q -exec memu retrieve {} \\;',
    'parallel memu retrieve ::: a b',
    'su bob -c "memu retrieve x"',
    'runuser -u bob -- memu retrieve x',
    'flock /tmp/l memu retrieve x',
    'script -qc "memu retrieve x" /dev/null',
    'ssh host memu retrieve x',
    'ssh -p 22 host "cd / && memu retrieve x"',
    'docker exec -it c memu retrieve x',
    'mise exec -- memu retrieve x',
    'mise exec node@20 -- memu retrieve x',
    'direnv exec . memu retrieve x',
    'op run -- memu retrieve x',
    'alias m=memu; m retrieve x',
    "alias m='npx memu'; m retrieve x",
    'M=memu; $M retrieve x',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
    'export M=/usr/local/bin/memu; "${M}" retrieve x',
    'bash -c "$(cat <<EOF\nmemu retrieve x\nEOF\n)"',
    'echo "memu retrieve x" | sh',
    'cat > q.sh <<EOF\nmemu retrieve x\nEOF\nsh q.sh',
    "python3 -c \"import subprocess; print(subprocess.check_output(['memu','retrieve','x']))\"",
    'python3 - <<EOF\nimport subprocess\nsubprocess.run(["memu", "show", "a"])\nEOF',
    'node -e "console.log(execSync(\'memu retrieve x\'))"',
    '$r = memu retrieve x; $r',
    '$r=(memu retrieve x | ConvertFrom-Json).files',
    'iex "memu retrieve x"',
    'Start-Process memu -ArgumentList retrieve,x',
    'const r = await tools.exec_command({cmd:"memu-codex retrieve deploy --format text"}); text(r.output)',
  ])('%s', (command) => {
    expect(shell(command)).toBe(true)
  })
})

describe('a call whose command line is a list of words', () => {
  it.each([
    { command: ['memu', 'show', 'memory/shop'] },
    { command: ['bash', '-lc', 'cd /srv && memu retrieve "x y"'] },
    { cmd: ['env', 'MEMU_DB=/tmp/a b', 'memu', 'doctor'] },
    { command: ['C:\\Program Files\\nodejs\\memu.cmd', 'doctor'] },
    { commands: ['cd /srv', 'memu doctor'] },
    { commands: ['npm test', 'memu doctor'] },
    { action: { command: ['memu', 'show', 'x'] } },
    { args: ['memu', 'show', 'x'] },
    { command: 'npx', args: ['-y', 'memu', 'doctor'] },
    { command: 'cat', args: ['/home/dev/.memu/nonce'] },
  ])('is ours where it runs ours: %j', (input) => {
    expect(isOwn('shell', JSON.stringify(input))).toBe(true)
  })

  it.each([
    { command: ['grep', '-rn', 'memu', 'README.md'] },
    { command: ['git', 'log', '--author', 'memu'] },
    { command: ['bash', '-lc', 'grep -rn memu README.md'] },
    { command: ['echo', '; memu doctor'] },
    { command: 'grep', args: ['memu', 'README.md'] },
    { args: ['grep', 'memu'] },
    { command: ['echo', "it's", 'memu'] },
  ])('is not where it only speaks of memU: %j', (input) => {
    expect(isOwn('shell', JSON.stringify(input))).toBe(false)
  })
})

it('knows every program of the package', () => {
  const { bin } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { bin: Record<string, string> }
  const ours = Object.keys(bin).filter((name) => name.startsWith('memu'))
  expect(ours.length).toBeGreaterThan(10)
  expect(ours.filter((name) => !shell(`${name} retrieve x`))).toEqual([])
})

describe('command lines that only speak of memU', () => {
  it.each([
    'memu-foo build',
    'npx memu-app dev',
    'npm run memu-build',
    'pnpm memu-lint',
    'docker exec memu ls',
    'ssh memu uptime',
    'M=memu; echo $M',
    'MEMU=1 npm test',
    'echo "memu retrieve x" > notes.md; sh build.sh',
    'python3 - <<EOF\nprint("memu retrieve x")\nEOF',
    'const r = await tools.exec_command({cmd:"grep -rn memu docs"}); text(r.output)',
    'find . -name memu -exec rm {} +',
    'command -v memu',
    'command -V memu-codex && which memu && type memu',
    'grep memu README.md',
    'grep -rn "memu retrieve" docs',
    'echo memu',
    'echo "run memu retrieve first"',
    "echo 'see $(memu retrieve x)'",
    'git commit -m "memu: fix the guard; memu retrieve is faster"',
    'git clone https://example.org/memu.git && cd memu',
    'npm install -g memu',
    'npm i memu@latest',
    'pnpm add memu',
    'cd memu && npm test',
    'cat memu/README.md',
    'which memu',
    'ls node_modules/.bin | grep memu',
    'docker run memu/server',
    "cat > install.md <<'EOF'\nmemu retrieve x\nmemu doctor\nEOF",
    '# memu doctor\nnpm test',
    'npm run memu:lint',
    './memu-bench.sh',
    'vim src/bin/memu.ts',
    'tsc src/memu.ts',
    'python memu.py',
    'rm -rf dist/memu',
  ])('%s', (command) => {
    expect(shell(command)).toBe(false)
  })
})

describe('reads below a tree of memU', () => {
  it.each([
    'cat ~/.memu/memory/shop.md',
    'cat $HOME/.memu/view/memory/shop.md',
    'cat "$HOME/.memu/view/memory/shop.md"',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
    'cat "${HOME}/.memu/hosts/x/memory/a.md"',
    "head -5 '/home/dev/.memu/resources.md'",
    'cd ~/.memu/hosts/codex && cat memory/a.md',
    'cd && cat .memu/memory/a.md',
    'ls .memu',
    'sed -n 1,40p ../../.memu/jobs/1.txt',
    'grep -rn deploy ~/.memu',
    'rg -e deploy ~/.memu/memory',
    'sqlite3 ~/.memu/memory.db .dump',
    'jq . < ~/.memu/hosts/x/.memory_manifest.json',
    'bash -lc "cat ~/.memu/memory/a.md"',
    'tar czf - --directory=/root/.memu memory',
    'type C:\\Users\\dev\\.memu\\memory\\a.md',
    'Get-Content "$env:USERPROFILE\\.memu\\memory\\a.md"',
    'type %USERPROFILE%\\.memu\\memory\\a.md',
    'cat /c/Users/dev/.memu/memory/a.md',
    'cat /srv/notes/agent-tree/memory/a.md',
    'cat /srv/notes/../notes/./agent-tree/sessions/1.jsonl',
    "cat '/home/dev/my tree/memory/a.md'",
    'cat ~/my\\ tree/memory/a.md',
    'cp notes.md ~/.memu/memory/notes.md',
    'echo "- a line" >> ~/.memu/memory/notes.md',
    'D=~/.memu; cat $D/view/memory/a.md',
    'export D=$HOME/.memu; cat "$D/view/memory/a.md"',
    'cd ~ && grep -r deploy .memu',
    'cd ~ && find .memu -name "*.md" -exec cat {} +',
    'cat ~/{.memu,.x}/view/memory/a.md',
    'cd ~ && cat .memu/*/*.md',
    'python3 -c "print(open(\'/home/dev/.memu/view/memory/a.md\').read())"',
    'python3 -c "import os;print(open(os.path.expanduser(\'~/.memu/view/memory/a.md\')).read())"',
    'node -e "console.log(fs.readFileSync(\'/home/dev/.memu/view/memory/a.md\'))"',
    'python3 - <<EOF\nprint(open("/home/dev/.memu/view/memory/a.md").read())\nEOF',
    '[IO.File]::ReadAllText("$env:USERPROFILE\\.memu\\view\\memory\\a.md")',
  ])('%s', (command) => {
    expect(shell(command)).toBe(true)
  })

  it.each([
    'echo "the configuration lies in ~/.memu/config.env"',
    "grep -rn '~/.memu' docs",
    "rg '\\.memu/' src",
    'find . -name .memu -prune',
    'tar --exclude=.memu -czf a.tgz .',
    'test -d ~/.memu',
    '[ -d ~/.memu ] || mkdir -p ~/.memu',
    'du -sh ~/.memu ~/.cache',
    'git add .memu/config',
    'cat /home/dev/shop/.memu/custom.txt',
    'git commit -m ~/.memu/config.env',
    'export MEMU_DB=~/.memu/memory.db',
    'MEMU_DB=~/.memu/memory.db npm test',
    'cat ~/memu/README.md',
    'cat /srv/notes/agent-tree-2/a.md',
    'ls /srv/notes',
    "cat > README.md <<'EOF'\ncat ~/.memu/memory/a.md\nEOF",
  ])('not: %s', (command) => {
    expect(shell(command)).toBe(false)
  })

  it('knows the paths in the input of tools that read, list, search and write', () => {
    const windows = ownCall(ownFiles(['D:\\Agents\\tree'], 'C:\\Users\\dev'), ['D:\\Agents\\tree'])
    for (const [name, input] of [
      ['Read', { file_path: '/home/dev/.memu/view/memory/a.md' }],
      ['read_file', { absolute_path: '/home/dev/.memu/hosts/gemini/jobs/1.txt' }],
      ['read_many_files', { paths: ['README.md', '/home/dev/.memu/memory/a.md'] }],
      ['read', { filePath: 'C:\\Users\\dev\\.memu\\memory\\a.md', offset: 1 }],
      ['Grep', { pattern: 'deploy', path: '~/.memu' }],
      ['Write', { file_path: '/home/dev/.memu/memory/a.md', content: '- a' }],
      ['multi_edit', { edits: [{ path: '/srv/notes/agent-tree/memory/a.md' }] }],
      ['open', { uri: 'file:///home/dev/.memu/memory/a.md' }],
      ['terminal', { script: 'memu doctor', timeout: 3 }],
      ['Grep', { pattern: 'deploy', glob: '**/.memu/**', path: '/home/dev' }],
      ['Glob', { pattern: '/home/dev/.memu/view/**/*.md' }],
      ['ReadMcpResourceTool', { server: 'notes', uri: 'memu://memory/a' }],
      ['run_code', { code: 'print(open("/home/dev/.memu/view/memory/a.md").read())' }],
    ] as const) {
      expect(isOwn(name, JSON.stringify(input)), `${name} ${JSON.stringify(input)}`).toBe(true)
    }
    expect(windows('read', JSON.stringify({ path: 'd:/agents/tree/memory/a.md' }))).toBe(true)
    expect(windows('read', JSON.stringify({ path: 'D:/Agents/tree/memory/a.md' }))).toBe(true)
    expect(isOwn('Read', '{"file_path":"/home/dev/.memu/memory/a.md","content":"cut o')).toBe(true)
  })

  it('keeps tools whose input only speaks of memU', () => {
    for (const [name, input] of [
      ['Write', { file_path: '/srv/app/docs/memory.md', content: 'cat ~/.memu/memory/a.md\nmemu retrieve x' }],
      ['Grep', { pattern: '~/.memu', path: 'src' }],
      ['Read', { file_path: '/home/dev/memu/src/memory/a.ts' }],
      ['Read', { file_path: '/home/dev/shop/.memu/custom.txt' }],
      ['Grep', { pattern: 'deploy', glob: '!**/.memu/**' }],
      ['Task', { prompt: 'run memu retrieve and read ~/.memu/memory/a.md', description: 'memu' }],
      ['WebFetch', { url: 'https://example.org/memu', prompt: 'x' }],
    ] as const) {
      expect(isOwn(name, JSON.stringify(input)), `${name} ${JSON.stringify(input)}`).toBe(false)
    }
    expect(isOwn('apply_patch', '*** Begin Patch\n*** Update File: README.md\n+\nmemu doctor\n*** End Patch')).toBe(false)
    expect(isOwn('web_search', 'memu retrieve')).toBe(false)
  })
})

describe('tools of ours', () => {
  it.each(['mcp__memu__retrieve', 'mcp__plugin_memu_memu__list', 'memu_retrieve', 'memu.remember', 'memu-retrieve', 'MEMU__forget'])(
    '%s',
    (name) => {
      expect(isOwn(name, '{"query":"x"}')).toBe(true)
    },
  )

  it.each([
    'mcp__github__search',
    'memuse',
    'mcp__memusic__play',
    'remember',
    'memu_lint',
    'mcp__memu_staging__query',
    'mcp__acme_memu_app__deploy',
  ])('not %s', (name) => {
    expect(isOwn(name, '{"query":"memu"}')).toBe(false)
  })

  it('knows our skill, and our server behind a general tool', () => {
    expect(isOwn('Skill', '{"skill":"memu-retrieve"}')).toBe(true)
    expect(isOwn('use_mcp_tool', '{"server_name":"memu","tool_name":"retrieve","arguments":{}}')).toBe(true)
    expect(isOwn('Skill', 'memu-retrieve')).toBe(true)
    expect(isOwn('Skill', '{"skill":"release-memu"}')).toBe(false)
    expect(isOwn('Skill', '{"skill":"memu-release-notes"}')).toBe(false)
    expect(isOwn('logs', '{"server":"memu-staging"}')).toBe(false)
  })
})

describe('reading command lines', () => {
  it('accepts anything, and finds the words of a plain line', () => {
    fc.assert(fc.property(fc.string(), (line) => Array.isArray(shellCommands(line))))
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9._/-]{1,12}$/), { minLength: 1 }), (words) => {
        const [command] = shellCommands(words.map((word) => `'${word}'`).join(' '))
        expect(command?.words.map(({ text }) => text)).toEqual(words)
      }),
    )
  })

  it('resolves any text that was quoted for a shell', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const quoted = `'${text.replaceAll("'", "'\\''")}'`
        expect(shellCommands(`echo ${quoted}`)[0]?.words[1]?.text).toBe(text)
      }),
    )
  })

  it.each(['(', '$(', '`a` ', '"$(', "'", '<<A\n', '\\', '&&', '{ '])('is through with millions of %j as fast as with anything', (part) => {
    expect(isOwn('Bash', `${part.repeat(200_000)} memu`)).toBeTypeOf('boolean')
  })
})
