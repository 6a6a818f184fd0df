import { Attribute, SCIMError, SchemaDefinition } from 'scimmy/types'
import { isBoolean, isMultiValued } from '../filter/attribute-path.ts'
import { isObject, type JsonObject, objectsOf } from './json.ts'
import { refused } from '../refuse.ts'

/**
 * A document that a client sent, by the names of its definition: attributes that it does not declare, and those that
 * only the service sets, are left out. Throws `invalidValue` for a value of another type.
 */
export function readDocument(definition: SchemaDefinition, body: unknown): JsonObject {
  if (!isObject(body)) throw refused('invalidSyntax', 'The body must be one JSON object')
  const { schemas } = body
  if (schemas !== undefined && !(Array.isArray(schemas) && schemas.includes(definition.id)))
    throw refused('invalidSyntax', `schemas must name ${definition.id}`)
  const { meta: _, schemas: __, id: ___, ...said } = coerced(definition, withBooleans(definition, body))
  return said
}

/** The library's objects have setters and more; what stays of them is plain JSON. */
function coerced(definition: SchemaDefinition, body: JsonObject): JsonObject {
  try {
    const { meta: _, schemas: __, ...data } = body
    const plain: unknown = JSON.parse(JSON.stringify(definition.coerce(data, 'in')))
    return isObject(plain) ? withoutEmpty(plain) : {}
  } catch (cause) {
    if (cause instanceof SCIMError || cause instanceof TypeError) throw refused('invalidValue', cause.message)
    throw cause
  }
}

/** Null and an empty list say the same as nothing (RFC 7643 section 2.5). */
function withoutEmpty(value: JsonObject): JsonObject {
  const kept = Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
    if (one === null || one === undefined) return []
    const inner = Array.isArray(one)
      ? objectsOf(one).map(withoutEmpty)
      : isObject(one)
        ? withoutEmpty(one)
        : one
    const empty = Array.isArray(inner)
      ? inner.length === 0
      : isObject(inner) && Object.keys(inner).length === 0
    return empty && key !== 'schemas' ? [] : [[key, inner]]
  })
  return Object.fromEntries(kept)
}

/** Entra writes booleans as "True" and "False", and may leave a list out of its brackets. */
function withBooleans(definition: SchemaDefinition, body: JsonObject): JsonObject {
  const entries = Object.entries(body).map(([key, value]): [string, unknown] => {
    const part = definition.attributes.find(
      (one: unknown) => nameOf(one)?.toLowerCase() === key.toLowerCase(),
    )
    return [key, part === undefined ? value : valueFor(part, value)]
  })
  return Object.fromEntries(entries)
}

function nameOf(part: unknown): string | undefined {
  return part instanceof SchemaDefinition ? part.id : part instanceof Attribute ? part.name : undefined
}

function valueFor(part: unknown, value: unknown): unknown {
  if (value === null) return undefined
  if (part instanceof SchemaDefinition) return isObject(value) ? withBooleans(part, value) : value
  if (!(part instanceof Attribute)) return value
  if (isMultiValued(part)) return (Array.isArray(value) ? value : [value]).map((one) => single(part, one))
  return single(part, value)
}

function single(attribute: Attribute, value: unknown): unknown {
  if (isBoolean(attribute) && typeof value === 'string' && /^(?:true|false)$/i.test(value))
    return value.toLowerCase() === 'true'
  const inner = attribute.subAttributes ?? []
  // Entra gives a manager as the bare id.
  if (typeof value === 'string' && !isMultiValued(attribute) && inner.some(({ name }) => name === 'value'))
    return { value }
  if (!isObject(value) || inner.length === 0) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const sub = inner.find(({ name }) => name.toLowerCase() === key.toLowerCase())
      return [key, sub === undefined ? one : valueFor(sub, one)]
    }),
  )
}
