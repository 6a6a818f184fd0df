import { refused } from '../refuse.ts'

const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof comparisons)[number]

/** A filter of RFC 7644 section 3.4.2.2, as written: which attributes there are is not its business. */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter }
  /** `emails[type eq "work"]`: one value fits as a whole. */
  | { readonly op: 'has'; readonly path: string; readonly filter: Filter }
  | { readonly op: 'pr'; readonly path: string }
  | { readonly op: Comparison; readonly path: string; readonly value: FilterValue }

export type FilterValue = string | number | boolean | null

const maxLength = 4096
const maxDepth = 32

/** Linear in the length of the text; throws `invalidFilter` with the place that is wrong. */
export function parseFilter(text: string): Filter {
  const reader = new Reader(text)
  const filter = either(reader, 0)
  if (reader.peek() !== undefined) throw reader.unexpected('the end')
  return filter
}

function either(reader: Reader, depth: number): Filter {
  return joined(reader, 'or', () => joined(reader, 'and', () => term(reader, depth)))
}

function joined(reader: Reader, op: 'and' | 'or', next: () => Filter): Filter {
  const first = next()
  const filters = [first]
  while (reader.takeWord(op)) filters.push(next())
  return filters.length === 1 ? first : { op, filters }
}

function term(reader: Reader, depth: number): Filter {
  if (depth > maxDepth) throw refused('invalidFilter', `The filter is nested deeper than ${maxDepth} times`)
  if (reader.take('(')) return closed(reader, ')', depth)
  if (reader.takeWord('not')) {
    if (!reader.take('(')) throw reader.unexpected('"(" after not')
    return { op: 'not', filter: closed(reader, ')', depth) }
  }
  const path = reader.word('an attribute')
  if (!reader.take('[')) return condition(reader, path)
  const filter: Filter = { op: 'has', path, filter: closed(reader, ']', depth) }
  if (reader.peek()?.startsWith('.') !== true) return filter
  // Beyond the RFC's grammar, and sent by Entra: `emails[type eq "work"].value eq "x"` is about one value as well.
  const inner = condition(reader, reader.word('a sub-attribute').slice(1))
  return { ...filter, filter: { op: 'and', filters: [filter.filter, inner] } }
}

function closed(reader: Reader, bracket: ')' | ']', depth: number): Filter {
  const filter = either(reader, depth + 1)
  if (!reader.take(bracket)) throw reader.unexpected(`"${bracket}"`)
  return filter
}

function condition(reader: Reader, path: string): Filter {
  if (reader.takeWord('pr')) return { op: 'pr', path }
  const op = comparisons.find((name) => reader.takeWord(name))
  if (op === undefined) throw reader.unexpected('an operator such as eq')
  return { op, path, value: reader.value() }
}

/** A bracket, a string in quotes, or a run of anything else. */
const token = /\s*([()[\]]|"(?:[^"\\]|\\.)*"|[^\s()[\]"]+)/y

class Reader {
  private at = 0
  private readonly text: string

  constructor(text: string) {
    if (text.length > maxLength)
      throw refused('invalidFilter', `The filter is longer than ${maxLength} characters`)
    this.text = text.trimEnd()
  }

  peek(): string | undefined {
    token.lastIndex = this.at
    return token.exec(this.text)?.[1]
  }

  take(wanted: string): boolean {
    token.lastIndex = this.at
    if (token.exec(this.text)?.[1] !== wanted) return false
    this.at = token.lastIndex
    return true
  }

  /** Operators are words in whatever case. */
  takeWord(wanted: string): boolean {
    const next = this.peek()
    return next?.toLowerCase() === wanted && this.take(next)
  }

  word(expected: string): string {
    const next = this.peek()
    if (next === undefined || !/^[.A-Za-z$]/.test(next)) throw this.unexpected(expected)
    this.take(next)
    return next
  }

  value(): FilterValue {
    const next = this.peek()
    const value = literal(next ?? '')
    if (next === undefined || value === undefined)
      throw this.unexpected('a value: a string in quotes, a number, true, false or null')
    this.take(next)
    return value
  }

  unexpected(expected: string) {
    const found = this.peek() ?? (this.at < this.text.length ? 'an open quotation mark' : 'the end')
    return refused(
      'invalidFilter',
      `The filter has ${found.slice(0, 100)} where ${expected} belongs, at ${this.at}`,
    )
  }
}

function literal(text: string): FilterValue | undefined {
  try {
    const value: unknown = JSON.parse(/^(?:true|false|null)$/i.test(text) ? text.toLowerCase() : text)
    const plain =
      value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return plain ? value : undefined
  } catch {
    return undefined
  }
}
