/** A home with the folders of a dozen agents, small and made up, and with folders that are none. */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { realSystem, type System } from '../../src/util/system.ts'

export const CHAT = '{"role":"user","content":"never deploy on fridays"}\n{"role":"assistant","content":"noted"}\n'
export const CLAUDE = '{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hello"}}\n'
export const CODEX =
  '{"timestamp":"2026-03-01T10:00:00.000Z","type":"session_meta","payload":{"id":"s"}}\n' +
  '{"timestamp":"2026-03-01T10:00:01.000Z","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}}\n'
const FACTORY =
  '{"type":"session_start","id":"s","title":"Tax"}\n{"type":"message","id":"m","message":{"role":"user","content":[{"type":"text","text":"why?"}]}}\n'
const DATABASE = 'SQLite format 3\0'

/** By path below the home. */
export const AGENTS: Readonly<Record<string, string>> = {
  '.claude/projects/-home-u-shop/6d0f6a3e-9d57-4d9f-8a54-0c1c44e0f6a1.jsonl': CLAUDE,
  '.claude/CLAUDE.md': '# Mine\n',
  '.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-0199aa00-0000-7000-8000-000000000001.jsonl': CODEX,
  '.local/share/goose/sessions/sessions.db': DATABASE,
  '.config/goose/.goosehints': '',
  '.config/opencode/AGENTS.md': '# Mine\n',
  '.local/share/opencode/opencode.db': DATABASE,
  '.local/share/amp/settings.json': '{}',
  '.kimi/sessions/0a1b/s1/context.jsonl': `{"role":"_system_prompt","content":"..."}\n${CHAT}`,
  '.cline/data/sessions/s1/s1.messages.json': `{"version":1,"messages":[{"role":"user","content":[{"type":"text","text":"<user_input>why?</user_input>"}]}]}`,
  '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/17/api_conversation_history.json': `[${CHAT.trim().replace('\n', ',')}]`,
  '.factory/sessions/-home-u-shop/7f.jsonl': FACTORY,
  '.continue/sessions/s1.json': `{"sessionId":"s1","title":"Tax","workspaceDirectory":"/home/u/shop","history":[{"message":{"role":"user","content":"why?"}}]}`,
  '.codeium/windsurf/cascade/0a.pb': '\u0001\u0002',
  '.aider/caches/model.json': '{}',
  '.newcomer/logs/today.jsonl': CHAT,
  '.quiet/AGENTS.md': '# Rules\n',
  '.claude-work/projects/-home-u-shop/6d0f6a3e-9d57-4d9f-8a54-0c1c44e0f6a2.jsonl': CLAUDE,
}

/** Nobody's agent. */
export const OTHERS: Readonly<Record<string, string>> = {
  '.bashrc': '',
  '.ssh/id_ed25519': 'key',
  '.npm/_cacache/x.json': '{}',
  '.mozilla/firefox/p.default/sessions.jsonl': CHAT,
  '.editor/settings.json': '{"role":"user","content":"x"}',
  '.logs/app.jsonl': '{"level":"info","message":"started"}\n',
  'notes/AGENTS.md': '',
  '.agents/AGENTS.md': '',
}

export function write(home: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(dirname(join(home, name)), { recursive: true })
    fs.writeFileSync(join(home, name), text)
  }
}

export function systemOf(home: string, env: System['env'] = {}): System {
  return { ...realSystem(), platform: 'linux', home, cwd: home, env }
}
