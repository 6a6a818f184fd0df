/** `request`: what callers send must still be taken. `response`: what they read must still be there. */
export type Direction = 'request' | 'response'

interface Schema {
  readonly [keyword: string]: unknown
}

interface Side {
  readonly schema: unknown
  readonly resolve: (ref: string) => unknown
}

interface Comparison {
  readonly direction: Direction
  /** Pairs of references that are being compared further up: a schema may hold itself. */
  readonly inside: readonly string[]
}

/**
 * The changes of a schema that break callers that were written for `before`; each as a sentence that begins with its
 * place.
 */
export function schemaChanges(
  before: Side,
  after: Side,
  at: string,
  { direction, inside }: Comparison,
): string[] {
  const pair = `${refOf(before.schema)} ${refOf(after.schema)}`
  if (pair !== ' ' && inside.includes(pair)) return []
  const comparison = { direction, inside: [...inside, pair] }
  const [old, now] = [plain(before), plain(after)]
  const side = (of: Side, schema: unknown): Side => ({ ...of, schema })
  const compare = (a: unknown, b: unknown, place: string) =>
    schemaChanges(side(before, a), side(after, b), place, comparison)

  const choices = { before: choicesOf(old), after: choicesOf(now) }
  if (choices.before.length > 1 || choices.after.length > 1) {
    // Each choice that a caller sends has to be taken by one, each that it reads has to be one that it knows.
    const [wanted, offered] =
      direction === 'request' ? [choices.before, choices.after] : [choices.after, choices.before]
    const fits = (a: unknown, b: unknown) =>
      (direction === 'request' ? compare(a, b, at) : compare(b, a, at)).length === 0
    const lost = wanted.filter((choice) => !offered.some((other) => fits(choice, other)))
    if (lost.length === 0) return []
    return [`${at}: ${lost.length} of its forms ${direction === 'request' ? 'are refused' : 'are new'}`]
  }
  return [
    ...typeChanges(old, now, at, direction),
    ...(direction === 'request' ? narrowed(old, now, at) : []),
    ...propertyChanges(old, now, at, direction, compare),
    ...('items' in old && 'items' in now ? compare(old['items'], now['items'], `${at}[]`) : []),
    ...(isSchema(old['additionalProperties']) && isSchema(now['additionalProperties'])
      ? compare(old['additionalProperties'], now['additionalProperties'], `${at}.*`)
      : []),
  ]
}

function typeChanges(old: Schema, now: Schema, at: string, direction: Direction): string[] {
  const [had, has] = [typesOf(old), typesOf(now)]
  const [wanted, offered] = direction === 'request' ? [had, has] : [has, had]
  // No type means any.
  const lost = offered.size === 0 ? [] : [...wanted].filter((type) => !offered.has(type))
  if (wanted.size === 0 && offered.size > 0) lost.push('any')
  const refused = lost.map((type) =>
    direction === 'request' ? `${at}: ${type} is refused` : `${at}: may be ${type} now`,
  )
  const [could, can] = [valuesOf(old), valuesOf(now)]
  if (direction === 'response' || can === null) {
    // A response that was always one of a few must not become anything; new values of it are no surprise.
    return could !== null && can === null ? [...refused, `${at}: is no enum any more`] : refused
  }
  if (could === null) return [...refused, `${at}: is an enum now`]
  const gone = could.filter((value) => !can.includes(value))
  return [...refused, ...gone.map((value) => `${at}: ${JSON.stringify(value)} is refused`)]
}

const upper = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const lower = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']

/** Bounds that a request has to keep and did not before. */
function narrowed(old: Schema, now: Schema, at: string): string[] {
  const bound = (schema: Schema, keyword: string, none: number) =>
    typeof schema[keyword] === 'number' ? schema[keyword] : none
  return [
    ...upper.filter((keyword) => bound(now, keyword, Infinity) < bound(old, keyword, Infinity)),
    ...lower.filter((keyword) => bound(now, keyword, -Infinity) > bound(old, keyword, -Infinity)),
    ...['pattern', 'format'].filter((keyword) => keyword in now && now[keyword] !== old[keyword]),
    ...(now['additionalProperties'] === false && old['additionalProperties'] !== false
      ? ['additionalProperties']
      : []),
  ].map((keyword) => `${at}: ${keyword} is narrower`)
}

function propertyChanges(
  old: Schema,
  now: Schema,
  at: string,
  direction: Direction,
  compare: (a: unknown, b: unknown, place: string) => string[],
): string[] {
  const [had, has] = [propertiesOf(old), propertiesOf(now)]
  const [required, requires] = [new Set(listOf(old['required'])), new Set(listOf(now['required']))]
  const kept = Object.keys(had).filter((name) => Object.hasOwn(has, name))
  const removed = Object.keys(had).filter((name) => !Object.hasOwn(has, name))
  const stricter =
    direction === 'request'
      ? [...requires]
          .filter((name) => !required.has(name))
          .map((name) => `${at}.${String(name)}: is required`)
      : kept
          .filter((name) => required.has(name) && !requires.has(name))
          .map((name) => `${at}.${name}: may be absent now`)
  return [
    ...removed.map((name) => `${at}.${name}: is gone`),
    ...stricter,
    ...kept.flatMap((name) => compare(had[name], has[name], `${at}.${name}`)),
  ]
}

/** The schema without its reference, and the parts of an `allOf` as one. */
function plain({ schema, resolve }: Side): Schema {
  if (!isSchema(schema)) return {}
  const ref = refOf(schema)
  if (ref !== '') return plain({ schema: resolve(ref), resolve })
  const parts = listOf(schema['allOf']).map((part) => plain({ schema: part, resolve }))
  return parts.reduce<Schema>(
    (whole, part) => ({
      ...whole,
      ...part,
      properties: { ...propertiesOf(whole), ...propertiesOf(part) },
      required: [...listOf(whole['required']), ...listOf(part['required'])],
    }),
    schema,
  )
}

function choicesOf(schema: Schema): readonly unknown[] {
  const choices = listOf(schema['anyOf'] ?? schema['oneOf'])
  return choices.length > 0 ? choices : [schema]
}

function typesOf(schema: Schema): ReadonlySet<string> {
  const types = typeof schema['type'] === 'string' ? [schema['type']] : listOf(schema['type']).map(String)
  return new Set(types)
}

/** Null when it is not limited to some. */
function valuesOf(schema: Schema): readonly unknown[] | null {
  if ('const' in schema) return [schema['const']]
  return Array.isArray(schema['enum']) ? schema['enum'] : null
}

function propertiesOf(schema: Schema): Schema {
  return isSchema(schema['properties']) ? schema['properties'] : {}
}

function refOf(schema: unknown): string {
  return isSchema(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'] : ''
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
