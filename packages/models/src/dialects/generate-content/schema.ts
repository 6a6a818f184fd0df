import { isObject, type JsonObject } from '../kit/json.ts'

/** Google's schema, whose types are in capitals and may be `nullable`, as a JSON schema. */
export function jsonSchema(said: unknown): unknown {
  if (!isObject(said)) return said
  const { nullable, ...fields } = said
  const read = Object.entries(fields).map(([key, value]) => [key, fieldOf(key, value)])
  const schema: JsonObject = Object.fromEntries(read)
  return nullable === true && typeof schema['type'] === 'string'
    ? { ...schema, type: [schema['type'], 'null'] }
    : schema
}

function fieldOf(key: string, value: unknown): unknown {
  if (key === 'type' && typeof value === 'string') return value.toLowerCase()
  // Google writes these 64-bit numbers as text.
  if (/^(min|max)(Items|Length|Properties)$/.test(key) && typeof value === 'string') return Number(value)
  if (key === 'items') return jsonSchema(value)
  if (key === 'anyOf' && Array.isArray(value)) return value.map(jsonSchema)
  if (key === 'properties' && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, jsonSchema(of)]))
  return value
}
