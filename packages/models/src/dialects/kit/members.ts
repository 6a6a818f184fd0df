/** A member of the outermost object of a JSON text, by its places in the text. */
interface Member {
  readonly key: string
  readonly start: number
  readonly valueStart: number
  readonly end: number
}

/** A new value of a member, under a new key where `as` says one; without a value the member goes. */
export interface MemberEdit {
  readonly key: string
  readonly value?: unknown
  readonly as?: string
}

/**
 * The text of an object with some members changed: those that are not there come last. What is not changed stays as it
 * was written, in its order, since a parsed object loses long numbers and the place of keys that are numbers.
 */
export function editMembers(text: string, edits: readonly MemberEdit[]): string {
  const members = membersOf(text)
  const written = members.flatMap(({ key, start, end }) => {
    const edit = edits.find((one) => one.key === key)
    if (edit === undefined) return [text.slice(start, end)]
    return edit.value === undefined ? [] : [memberText(edit)]
  })
  const added = edits.filter(
    ({ key, value }) => value !== undefined && !members.some((member) => member.key === key),
  )
  return `{${[...written, ...added.map(memberText)].join(',')}}`
}

/** Keys that the outermost object has twice: readers disagree over which of them counts. */
export function doubledKeys(text: string): readonly string[] {
  const seen = new Set<string>()
  const doubled = membersOf(text).flatMap(({ key }) => (seen.size === seen.add(key).size ? [key] : []))
  return [...new Set(doubled)]
}

function memberText({ key, value, as = key }: MemberEdit): string {
  return `${JSON.stringify(as)}:${JSON.stringify(value)}`
}

/** The members of a text that is known to be a JSON object. */
function membersOf(text: string): readonly Member[] {
  const members: Member[] = []
  let at = afterSpace(text, text.indexOf('{') + 1)
  while (text[at] === '"') {
    const start = at
    const keyEnd = afterText(text, start)
    const valueStart = afterSpace(text, text.indexOf(':', keyEnd) + 1)
    const end = afterValue(text, valueStart)
    members.push({ key: String(JSON.parse(text.slice(start, keyEnd))), start, valueStart, end })
    at = afterSpace(text, end)
    if (text[at] === ',') at = afterSpace(text, at + 1)
  }
  return members
}

function afterSpace(text: string, at: number): number {
  while (at < text.length && /\s/.test(text.charAt(at))) at++
  return at
}

/** The place after the quoted text that begins here. */
function afterText(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote + 1
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

function afterValue(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return afterText(text, start)
  if (first !== '{' && first !== '[') {
    const plain = /[^\s,\]}]+/y
    plain.lastIndex = start
    return start + (plain.exec(text)?.[0].length ?? 0)
  }
  const mark = /["[\]{}]/g
  mark.lastIndex = start
  let depth = 0
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === '"') mark.lastIndex = afterText(text, found.index)
    else depth += found[0] === '{' || found[0] === '[' ? 1 : -1
    if (depth === 0) return mark.lastIndex
  }
  return text.length
}
