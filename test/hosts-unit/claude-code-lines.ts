/** Lines as Claude Code writes them, with values of ours. */
export function sessionId(number: number): string {
  return `11111111-2222-4333-8444-${String(number).padStart(12, '0')}`
}

export function time(number: number): string {
  return new Date(Date.UTC(2026, 8, 1, 8) + number * 1000).toISOString()
}

/** A line of one type with the usual envelope; `fields` are added or replace. */
export function line(type: string, session: string, number: number, fields: object): string {
  return JSON.stringify({
    parentUuid: number > 1 ? `${session}-${number - 1}` : null,
    isSidechain: false,
    type,
    uuid: `${session}-${number}`,
    timestamp: time(number),
    userType: 'external',
    cwd: '/home/u/shop',
    sessionId: session,
    version: '2.1.197',
    gitBranch: 'main',
    ...fields,
  })
}

export function user(session: string, number: number, content: unknown, fields: object = {}): string {
  return line('user', session, number, { message: { role: 'user', content }, ...fields })
}

export function assistant(session: string, number: number, content: unknown, fields: object = {}): string {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return line('assistant', session, number, {
    message: { id: `msg_${number}`, role: 'assistant', model: 'm1', content: blocks },
    ...fields,
  })
}
