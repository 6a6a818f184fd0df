import type { Session } from '@svc/sdk'
import type { SessionLog } from '../../conversation/session-log.ts'

const titleChars = 80

/** The name of a session: its own, else the first line of its first prompt, else the start of its id. */
export function sessionTitle(
  { name, session_id }: Pick<Session, 'name' | 'session_id'>,
  log: SessionLog,
): string {
  if (name !== null) return name
  const first = [...log.turns, ...log.unbegun].find(({ kind }) => kind === 'prompt')
  return (first === undefined ? null : firstLine(first.text)) ?? session_id.slice(0, 8)
}

/** The first line outside fences, without the marks of Markdown. */
export function firstLine(text: string): string | null {
  const lines = text.replace(/^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\1|(?![\s\S]))/gm, '').split('\n')
  const line = lines.map((one) => one.replace(/^[\s#>*+-]+|[*_`]/g, '').trim()).find((one) => one !== '')
  if (line === undefined) return null
  return line.length <= titleChars ? line : `${line.slice(0, titleChars - 1)}…`
}
