import { uuidPattern } from '@svc/facts'
import { exampleValues } from '@svc/contract'

/** The part of a schema of the document that the examples read. */
interface Schema {
  readonly [keyword: string]: unknown
}

type Resolve = (ref: string) => unknown

/** The place of a value: the name of its field, and the named schema that the field belongs to. */
interface Place {
  readonly name: string
  readonly owner: string
}

/**
 * A value that the schema allows: its own example, else one made of its parts. Fields are filled by their name from
 * the contract's table, so that all examples of the reference speak of the same objects.
 */
export function exampleOf(
  schema: unknown,
  resolve: Resolve,
  place: Place = { name: '', owner: '' },
): unknown {
  if (!isSchema(schema)) return null
  const of = (part: unknown) => exampleOf(part, resolve, place)
  const ref = schema['$ref']
  if (typeof ref === 'string')
    return exampleOf(resolve(ref), resolve, { ...place, owner: ref.split('/').at(-1) ?? '' })
  if ('example' in schema) return schema['example']
  if ('const' in schema) return schema['const']
  const types = typesOf(schema, resolve)
  const named = namedValue(schema, types, place)
  if (named !== undefined) return named
  if (types.has('null')) return null
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  const choices = listOf(schema['anyOf'] ?? schema['oneOf'])
  if (choices.length > 0) return of(choices[0])
  const all = listOf(schema['allOf'])
  if (all.length > 0) return Object.assign({}, ...all.map(of))
  if (types.has('object')) return objectOf(schema, resolve, place.owner)
  if (types.has('array'))
    return [exampleOf(schema['items'], resolve, { ...place, name: singular(place.name) })]
  if (types.has('boolean')) return true
  if (types.has('integer') || types.has('number')) return schema['minimum'] ?? 1
  return types.has('string') ? textOf(schema) : null
}

function objectOf(schema: Schema, resolve: Resolve, owner: string): object {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  const fields = Object.entries(properties)
  return Object.fromEntries(
    fields.map(([key, part]) => [key, exampleOf(part, resolve, { name: key, owner })]),
  )
}

/** The first value that the contract has for the field, or for every field of that name, and the schema allows. */
function namedValue(schema: Schema, types: ReadonlySet<string>, { name, owner }: Place): unknown {
  const values = [`${owner}.${name}`, name].flatMap((key) =>
    Object.hasOwn(exampleValues, key) ? (exampleValues[key] ?? []) : [],
  )
  const allowed = listOf(schema['enum'])
  return values.find((value) => {
    if (allowed.length > 0) return allowed.includes(value)
    if (schema['format'] === 'uuid' && value !== null) return uuidPattern.test(String(value))
    return types.has(typeOf(value))
  })
}

/** The JSON types that a value may have, those of its choices among them. */
function typesOf(schema: Schema, resolve: Resolve): ReadonlySet<string> {
  if (typeof schema['$ref'] === 'string') {
    const named = resolve(schema['$ref'])
    return isSchema(named) ? typesOf(named, resolve) : new Set()
  }
  const own = typeof schema['type'] === 'string' ? [schema['type']] : listOf(schema['type'])
  const parts = listOf(schema['anyOf'] ?? schema['oneOf']).filter(isSchema)
  return new Set([...own.map(String), ...parts.flatMap((part) => [...typesOf(part, resolve)])])
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function textOf({ format }: Schema): string {
  if (format === 'uuid') return '5d0c1f0e-7f5a-4b6e-9a55-1f2f3c4d5e6f'
  if (format === 'date-time') return '2026-11-22T09:30:00.000Z'
  if (format === 'uri') return 'https://example.com/'
  if (format === 'email') return 'ada@example.com'
  return 'text'
}

function singular(name: string): string {
  return name.endsWith('s') ? name.slice(0, -1) : name
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
