import type { SchemaDefinition } from 'scimmy/types'
import {
  isBoolean,
  isComplex,
  isMultiValued,
  isReadOnly,
  resolveAttribute,
} from '../filter/attribute-path.ts'
import type { Filter } from '../filter/filter-syntax.ts'
import { copyOf, isObject, type JsonObject, objectsOf, sameJson } from '../documents/json.ts'
import { type PatchOperation, readTarget, type Target } from './patch-syntax.ts'
import { refused } from '../refuse.ts'

/**
 * The document after the operations, in their order (RFC 7644 section 3.5.2). The caller reads what comes out as it reads
 * any document: types are checked there.
 */
export function applyPatch(
  definition: SchemaDefinition,
  document: JsonObject,
  operations: readonly PatchOperation[],
): JsonObject {
  const patched = copyOf(document)
  for (const operation of operations) applyOperation(definition, patched, operation)
  return patched
}

function applyOperation(definition: SchemaDefinition, document: JsonObject, operation: PatchOperation): void {
  const { op, path, value } = operation
  if (path !== null) return applyAt(document, readTarget(definition, path), op, value)
  if (op === 'remove') throw refused('noTarget', 'remove needs a path')
  if (!isObject(value)) throw refused('invalidValue', 'Without a path, value must be an object of attributes')
  for (const [key, part] of Object.entries(value)) {
    const found = resolveAttribute(definition, key)
    // Okta repeats the id and the schemas of what it renames; both say nothing new.
    if (/^schemas$/i.test(key) || (found !== null && isReadOnly(found.attribute))) continue
    const target = readTarget(definition, key)
    // Only Entra has filters in keys, and what it replaces that way may not be there yet.
    applyAt(document, target, target.chosen === null ? op : 'add', part)
  }
}

function applyAt(document: JsonObject, target: Target, op: PatchOperation['op'], value: unknown): void {
  if (op !== 'remove' && value === undefined) throw refused('invalidValue', `${op} needs a value`)
  const holder = holderOf(document, target, op !== 'remove')
  if (holder === null) return
  const key = target.keys.at(-1) ?? ''
  if (Array.isArray(holder)) return inEach(holder, key, op, value)
  if (target.chosen !== null) return inChosen(holder, key, target, op, value)
  if (op === 'remove') return remove(holder, key, target, value)
  set(holder, key, target, op, value)
}

/**
 * The holder of the last key: the document, an object in it, or the values of a multi-valued attribute. Null: there is
 * none.
 */
function holderOf(document: JsonObject, { keys }: Target, make: boolean): JsonObject | JsonObject[] | null {
  let holder = document
  for (const key of keys.slice(0, -1)) {
    const inner = Object.hasOwn(holder, key) ? holder[key] : undefined
    if (Array.isArray(inner)) return objectsOf(inner)
    if (isObject(inner)) holder = inner
    else if (make) {
      const made: JsonObject = {}
      holder[key] = made
      holder = made
    } else return null
  }
  return holder
}

/** `emails.value` is that of every value in `emails`. */
function inEach(values: readonly JsonObject[], key: string, op: PatchOperation['op'], value: unknown): void {
  for (const one of values) {
    if (op === 'remove') delete one[key]
    else one[key] = value
  }
}

function set(holder: JsonObject, key: string, target: Target, op: 'add' | 'replace', value: unknown): void {
  const { attribute, parent } = target
  if (parent !== null && isMultiValued(parent)) {
    // There are no values yet that this could be a part of.
    delete holder[key]
    throw refused('noTarget', `There is no value whose ${key} could be set: give the whole value`)
  }
  if (isMultiValued(attribute)) {
    const given = Array.isArray(value) ? value : [value]
    holder[key] = onePrimary(op === 'add' ? added(listOf(holder[key]), given) : given, given)
    return
  }
  const old = holder[key]
  const whole = attribute === null || isComplex(attribute)
  holder[key] = whole && isObject(old) && isObject(value) ? { ...old, ...namedAs(target, value) } : value
}

/** Sub-attributes by the names that they have in the document. */
function namedAs({ attribute }: Target, value: JsonObject): JsonObject {
  const names = attribute?.subAttributes?.map(({ name }) => name) ?? []
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      names.find((name) => name.toLowerCase() === key.toLowerCase()) ?? key,
      one,
    ]),
  )
}

/** The values with those given that are not there already; a person is there when their id is. */
function added(old: readonly unknown[], given: readonly unknown[]): unknown[] {
  const known = new Map<unknown, JsonObject[]>()
  for (const there of objectsOf(old)) {
    const alike = known.get(there['value'])
    if (alike) alike.push(there)
    else known.set(there['value'], [there])
  }
  const fresh = given.filter((one) => {
    const alike = isObject(one) ? known.get(one['value']) : undefined
    if (!isObject(one) || alike === undefined) return true
    const bare = Object.keys(one).every((key) => key === 'value' || key === '$ref')
    return !bare && !alike.some((there) => sameJson(there, one))
  })
  return [...old, ...fresh]
}

function remove(holder: JsonObject, key: string, target: Target, value: unknown): void {
  if (target.attribute?.config.required === true)
    throw refused('mutability', `${target.attribute.name} is required and cannot be removed`)
  // Beyond the RFC: Entra and others name the values that go, instead of a filter.
  if (value === undefined || value === null || !isMultiValued(target.attribute)) {
    delete holder[key]
    return
  }
  const gone = new Set(
    (Array.isArray(value) ? value : [value]).map((one) => (isObject(one) ? one['value'] : one)),
  )
  holder[key] = listOf(holder[key]).filter((one) => !(isObject(one) && gone.has(one['value'])))
}

function inChosen(
  holder: JsonObject,
  key: string,
  { attribute, chosen, sub }: Target,
  op: PatchOperation['op'],
  value: unknown,
): void {
  const values = objectsOf(holder[key])
  const meant = new Set(chosen === null ? [] : values.filter(chosen.matches))
  if (op === 'remove') {
    if (sub === null) holder[key] = values.filter((one) => !meant.has(one))
    else for (const one of meant) delete one[sub]
    return
  }
  if (sub === null && !isObject(value)) throw refused('invalidValue', `${key}[…] takes an object`)
  const change: JsonObject = sub === null ? (isObject(value) ? value : {}) : { [sub]: value }
  if (meant.size === 0) {
    const made = op === 'add' && chosen !== null ? described(chosen.filter) : null
    if (made === null) throw refused('noTarget', `No value of ${key} fits the filter of the path`)
    const fresh = { ...made, ...change }
    holder[key] = onePrimary([...values, fresh], [fresh])
    return
  }
  const next = values.map((one) => (meant.has(one) ? { ...one, ...change } : one))
  const touched = next.filter((_, index) => values[index] !== undefined && meant.has(values[index]))
  const primary = attribute?.subAttributes?.some((one) => one.name === 'primary' && isBoolean(one)) === true
  holder[key] = primary ? onePrimary(next, touched) : next
}

/** The value that a filter of nothing but equalities describes, as Entra adds one; null for any other filter. */
function described(filter: Filter): JsonObject | null {
  const parts = filter.op === 'and' ? filter.filters : [filter]
  const made: JsonObject = {}
  for (const part of parts) {
    if (part.op !== 'eq' || part.path.includes('.')) return null
    made[part.path] = part.value
  }
  return made
}

/** Of several values one is primary: the one that was said last. */
function onePrimary(values: readonly unknown[], said: readonly unknown[]): unknown[] {
  const isPrimary = (one: unknown) => isObject(one) && /^true$/i.test(String(one['primary']))
  const last = said.findLast(isPrimary)
  if (last === undefined) return [...values]
  return values.map((one) =>
    one !== last && isObject(one) && isPrimary(one) ? { ...one, primary: false } : one,
  )
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
