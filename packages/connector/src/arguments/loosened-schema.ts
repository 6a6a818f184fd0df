import type { Schema } from '@cfworker/json-schema'
import type { JsonObject } from '../shapes.ts'

/** Judging any of these may take longer than its text is long. Each is a keyword only where its value is of this type. */
const left: Readonly<Record<string, readonly string[]>> = {
  pattern: ['string'],
  format: ['string'],
  uniqueItems: ['boolean'],
  patternProperties: ['object'],
  unevaluatedProperties: ['object', 'boolean'],
  unevaluatedItems: ['object', 'boolean'],
}

/** Their keys are names, not keywords. */
const maps: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
/** Their values are data, not schemas. */
const data: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'example'])

/** Keywords that grow stricter when a schema below them grows looser. */
const contrary: ReadonlySet<string> = new Set(['not', 'if', 'then', 'else', 'maxContains'])

const schemaLimits = { nodes: 20_000, depth: 200 }

class TooMuch extends Error {}

/**
 * A copy of a schema that takes at least what the schema takes, and whose judging ends: each look at a part of it costs
 * `cost` and one more for every 32 of its names and values; past `steps` it throws. null: the schema is too big.
 */
export function loosened(schema: JsonObject, steps: number, cost: number): Schema | null {
  let nodes = 0
  let spent = 0
  const isLoose = leavesOut(schema)

  const counted = (copy: Record<string, unknown>): Record<string, unknown> => {
    const own = cost + sizeOf(copy) / 32
    // The validator reads this key at each look, and it has no value: the keyword is always left out.
    return Object.defineProperty(copy, 'unevaluatedItems', {
      enumerable: false,
      get: () => {
        spent += own
        if (spent > steps) throw new TooMuch()
        return undefined
      },
    })
  }
  const copyOf = (value: unknown, depth: number, isMap: boolean): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (++nodes > schemaLimits.nodes || depth > schemaLimits.depth) throw new TooMuch()
    if (Array.isArray(value)) return value.map((one) => copyOf(one, depth + 1, false))
    const given = value as JsonObject
    const entries = Object.entries(given).flatMap(([key, one]): [string, unknown][] => {
      if (isMap) return [[key, copyOf(one, depth + 1, false)]]
      if (data.has(key)) return [[key, one]]
      if (isLeft(key, one) || (isLoose && contrary.has(key))) return []
      if (key === 'additionalProperties' && isLeft('patternProperties', given['patternProperties'])) return []
      const kept = isLoose && key === 'oneOf' && !Object.hasOwn(given, 'anyOf') ? 'anyOf' : key
      if (isLoose && key === 'oneOf' && kept === key) return []
      return [[kept, copyOf(one, depth + 1, maps.has(key))]]
    })
    const copy = Object.fromEntries(entries)
    return isMap ? copy : counted(copy)
  }
  try {
    return copyOf(schema, 0, false) as Schema
  } catch (error) {
    if (error instanceof TooMuch) return null
    throw error
  }
}

function isLeft(key: string, value: unknown): boolean {
  return Object.hasOwn(left, key) && left[key]?.includes(typeof value) === true
}

/** Whether any part of the schema is left out of the copy. */
function leavesOut(schema: JsonObject): boolean {
  const rest: { readonly value: unknown; readonly isMap: boolean }[] = [{ value: schema, isMap: false }]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { value, isMap } = next
    if (typeof value !== 'object' || value === null) continue
    for (const [key, one] of Object.entries(value) as [string, unknown][]) {
      if (!isMap && data.has(key)) continue
      if (!isMap && !Array.isArray(value) && isLeft(key, one)) return true
      rest.push({ value: one, isMap: !isMap && maps.has(key) })
    }
  }
  return false
}

/** The names and values that a look at this part alone goes through. */
function sizeOf(schema: Record<string, unknown>): number {
  let size = 0
  const rest: unknown[] = [schema['enum'], schema['const'], schema['required']]
  const maps = ['properties', 'dependentRequired', 'dependentSchemas', 'dependencies']
  for (const key of maps) size += keysOf(schema[key])
  while (rest.length > 0) {
    const value = rest.pop()
    size++
    if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) rest.push(one)
  }
  return size
}

function keysOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}
