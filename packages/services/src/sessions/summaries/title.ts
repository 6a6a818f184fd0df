const titleLength = 80
const fence = /^ {0,3}(?:`{3,}|~{3,})/

/**
 * The title of a session: its name, else the first line of its first prompt that is outside of fences, without the
 * marks of Markdown.
 */
export function sessionTitle(session: {
  readonly session_id: string
  readonly name: string | null
  readonly first_prompt: string | null
}): string {
  const { session_id, name, first_prompt } = session
  if (name !== null && name.trim() !== '') return name
  return firstLine(first_prompt ?? '') ?? `Session ${session_id.slice(0, 8)}`
}

/**
 * The title as a viewer may read it: what was said in a session that holds its owner's secrets is not shown to others, not
 * even in one line.
 */
export function titleFor(session: TitledSession, viewer: string | null): string {
  return sessionTitle(isClosedTo(session, viewer) ? { ...session, first_prompt: null } : session)
}

interface TitledSession {
  readonly session_id: string
  readonly name: string | null
  readonly first_prompt: string | null
  readonly created_by: string
  readonly holds_personal_secrets: boolean
}

/** True for a session that holds the secrets of another person. */
export const isClosedTo = (
  { holds_personal_secrets, created_by }: Pick<TitledSession, 'created_by' | 'holds_personal_secrets'>,
  viewer: string | null,
): boolean => holds_personal_secrets && created_by !== viewer

function firstLine(text: string): string | null {
  let fenced = false
  for (const line of text.split(/\r?\n/)) {
    const at_fence = fence.test(line)
    if (at_fence) fenced = !fenced
    const plain = fenced || at_fence ? '' : withoutMarks(line)
    if (plain !== '') return cut(plain)
  }
  return null
}

function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`+)(.+?)\1/g, '$2')
    .replace(/(?<!\w)([*_])(?=\S)(.+?)(?<=\S)\1(?!\w)/g, '$2')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

function cut(text: string): string {
  const characters = [...text]
  if (characters.length <= titleLength) return text
  return `${characters
    .slice(0, titleLength - 1)
    .join('')
    .trimEnd()}…`
}
