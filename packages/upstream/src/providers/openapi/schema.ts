import type { JsonObject } from '@svc/connector'
import { upstreamLimits } from '../../wire/limits.ts'
import { type SchemaBudget, sizeOf } from '../catalogue/schema-budget.ts'
import { isObject, shortened } from '../catalogue/words.ts'
import { resolved, valueAt } from './pointer.ts'

const ofSchemas = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']
const ofLists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const ofMaps = ['properties', 'patternProperties', 'dependentSchemas']
const asWritten =
  /^(?:type|format|pattern|title|m(?:in|ax)(?:imum|Length|Items|Properties|Contains)|exclusiveM(?:in|ax)imum|multipleOf|uniqueItems|enum|const|default|content(?:Encoding|MediaType)|deprecated|writeOnly)$/
/** Keywords whose schema is about the same value, where a `$ref` may lead back to itself without reading anything. */
const sameValue = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'])
const deepest = 48
const keysOfSchema = 200

/**
 * Copies schemas out of a document for one action: what a `$ref` names is kept once, below `$defs`, so that a schema that
 * holds itself stays as small as it was written. Parts beyond the limit, external references and such that lead back to
 * themselves accept anything: the service judges there.
 */
export function schemaCopier(document: unknown, budget: SchemaBudget) {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const defs = new Map<string, Record<string, unknown>>()
  const waiting: [name: string, ref: string][] = []
  let nodes = 0

  /** `same` collects the names of `$defs` that are about the same value as `node`. */
  function copy(node: unknown, depth: number, same: string[]): unknown {
    if (typeof node === 'boolean') return node
    if (!isObject(node) || depth > deepest || nodes >= upstreamLimits.schema_nodes) return {}
    if (sizeOf(node) > keysOfSchema) return {}
    nodes++
    budget.spend(1)
    if (typeof node['$ref'] === 'string') return reference(node['$ref'], same)
    const made: Record<string, unknown> = {}
    const below = (child: unknown, key: string) => copy(child, depth + 1, sameValue.has(key) ? same : [])
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'object' && value !== null && sizeOf(value) > upstreamLimits.schema_nodes) continue
      if (asWritten.test(key) && isSmall(value)) made[key] = value
      else if (key === 'description' && typeof value === 'string') made[key] = shortened(value, 1_000)
      else if (ofSchemas.includes(key) && !Array.isArray(value)) made[key] = below(value, key)
      else if (ofLists.includes(key) && Array.isArray(value))
        made[key] = value.map((each) => below(each, key))
      else if (ofMaps.includes(key) && isObject(value))
        made[key] = Object.fromEntries(
          Object.entries(value)
            .filter(([, child]) => !isReadOnly(document, child))
            .map(([name, child]) => [name, below(child, key)]),
        )
      budget.spend(0, lettersOf(made[key]))
    }
    const asked = Array.isArray(node['required'])
      ? node['required'].slice(0, upstreamLimits.schema_nodes)
      : []
    const properties = isObject(node['properties']) ? node['properties'] : {}
    const required = asked.filter((name) => !isReadOnly(document, properties[String(name)]))
    if (required.length > 0 && isSmall(required)) made['required'] = required
    return modern(made, node)
  }

  function reference(ref: string, same: string[]): unknown {
    // Only a schema that is there can be named, and it must not be a chain of names without an end.
    if (resolved(document, { $ref: ref }) === undefined && typeof valueAt(document, ref) !== 'boolean')
      return {}
    const known = names.get(ref)
    const name = known ?? freshName(ref)
    if (known === undefined) {
      names.set(ref, name)
      waiting.push([name, ref])
    }
    same.push(name)
    return { $ref: `#/$defs/${name}` }
  }

  function freshName(ref: string): string {
    const last = (ref.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
    let name = last === '' ? 'schema' : last
    for (let n = 2; taken.has(name); n++) name = `${last}_${n}`
    taken.add(name)
    return name
  }

  return {
    copy: (node: unknown): unknown => copy(node, 0, []),
    /** `{ $defs }` of all that was copied, or nothing. To be called last. */
    defs: (): JsonObject => {
      const edges = new Map<string, string[]>()
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [name, ref] = next
        const same: string[] = []
        const made = copy(valueAt(document, ref), 0, same)
        defs.set(name, isObject(made) ? { ...made } : made === false ? { not: {} } : {})
        edges.set(name, same)
      }
      for (const name of circular(edges)) defs.set(name, {})
      return defs.size === 0 ? {} : { $defs: Object.fromEntries(defs) }
    },
  }
}

/** Names that lead back to themselves about the same value: no validator comes to an end there. */
function circular(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const found = new Set<string>()
  for (const start of edges.keys()) {
    const path: { name: string; next: number }[] = state.has(start) ? [] : [{ name: start, next: 0 }]
    state.set(start, state.get(start) ?? 'open')
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const name = edges.get(top.name)?.[top.next++]
      if (name === undefined) {
        state.set(top.name, 'done')
        path.pop()
      } else if (state.get(name) === 'open') found.add(name)
      else if (!state.has(name)) {
        state.set(name, 'open')
        path.push({ name, next: 0 })
      }
    }
  }
  return [...found]
}

/** Words of OpenAPI 3.0 in those of JSON Schema. */
function modern(made: Record<string, unknown>, node: JsonObject): Record<string, unknown> {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof made[exclusive] !== 'boolean') continue
    const isExclusive = made[exclusive]
    delete made[exclusive]
    if (!isExclusive || made[bound] === undefined) continue
    made[exclusive] = made[bound]
    delete made[bound]
  }
  if (node['nullable'] !== true) return made
  if (typeof made['type'] === 'string') made['type'] = [made['type'], 'null']
  if (Array.isArray(made['enum']) && !made['enum'].includes(null)) made['enum'] = [...made['enum'], null]
  return made
}

function isReadOnly(document: unknown, schema: unknown): boolean {
  return (
    isObject(schema) && (schema['readOnly'] === true || resolved(document, schema)?.['readOnly'] === true)
  )
}

/** Values of a schema that are no schemas; a huge one is left out. */
function isSmall(value: unknown): boolean {
  if (Array.isArray(value))
    return (
      value.length <= 1_000 &&
      value.every((each) => typeof each !== 'object' || each === null) &&
      lettersOf(value) <= 16 * 1024
    )
  if (typeof value === 'string') return value.length <= 1_000
  return typeof value !== 'object' || value === null
}

/** Letters of a text, or of the texts in a list. */
function lettersOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (!Array.isArray(value)) return 0
  return value.reduce((sum: number, each: unknown) => sum + (typeof each === 'string' ? each.length : 0), 0)
}
