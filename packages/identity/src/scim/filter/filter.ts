import type { Attribute, SchemaDefinition } from 'scimmy/types'
import { isBoolean, isComplex, resolveAttribute } from './attribute-path.ts'
import { type Comparison, type Filter, type FilterValue, parseFilter } from './filter-syntax.ts'
import { isObject, type JsonObject } from '../documents/json.ts'
import { refused } from '../refuse.ts'

export type Matches = (document: JsonObject) => boolean

/**
 * The meaning of a filter for documents of this definition; throws `invalidFilter` for attributes that it does not
 * declare.
 */
export function compileFilter(
  definition: SchemaDefinition,
  text: string,
): { filter: Filter; matches: Matches } {
  const filter = parseFilter(text)
  return { filter, matches: compile(filter, (path) => lookIn(definition, path)) }
}

/** The filter of a value path, such as `type eq "work"`, for one value of the attribute. */
export function compileValueFilter(attribute: Attribute, filter: Filter): Matches {
  return compile(filter, (path) => lookInside(attribute, path))
}

interface FilteredAttribute {
  readonly attribute: Attribute
  readonly values: (document: JsonObject) => readonly unknown[]
}

type Look = (path: string) => FilteredAttribute

function lookIn(definition: SchemaDefinition, path: string): FilteredAttribute {
  const found = resolveAttribute(definition, path)
  if (!found?.attribute)
    throw refused('invalidFilter', `There is no attribute ${path.slice(0, 100)} to filter by`)
  return { attribute: found.attribute, values: (document) => follow([document], found.keys) }
}

function lookInside(outer: Attribute, path: string): FilteredAttribute {
  const attribute = outer.subAttributes?.find(({ name }) => name.toLowerCase() === path.toLowerCase())
  if (!attribute)
    throw refused('invalidFilter', `${outer.name} has no sub-attribute ${path.slice(0, 100)} to filter by`)
  const { name } = attribute
  return { attribute, values: (document) => (Object.hasOwn(document, name) ? [document[name]] : []) }
}

/** Everything at the end of the keys, through every value of a multi-valued attribute. */
function follow(documents: readonly unknown[], keys: readonly string[]): readonly unknown[] {
  return keys.reduce<readonly unknown[]>(
    (values, key) =>
      values.flatMap((value) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : [])),
    documents,
  )
}

function compile(filter: Filter, look: Look): Matches {
  switch (filter.op) {
    case 'and': {
      const all = filter.filters.map((one) => compile(one, look))
      return (document) => all.every((matches) => matches(document))
    }
    case 'or': {
      const any = filter.filters.map((one) => compile(one, look))
      return (document) => any.some((matches) => matches(document))
    }
    case 'not': {
      const matches = compile(filter.filter, look)
      return (document) => !matches(document)
    }
    case 'has': {
      const { attribute, values } = look(filter.path)
      if (!isComplex(attribute))
        throw refused('invalidFilter', `${filter.path} has no values to filter in brackets`)
      const matches = compileValueFilter(attribute, filter.filter)
      return (document) => values(document).some((value) => isObject(value) && matches(value))
    }
    case 'pr': {
      const { values } = look(filter.path)
      return (document) => values(document).some(isPresent)
    }
    default:
      return compare(filter.op, single(look, filter.path), filter.value)
  }
}

/** `emails eq "x"` asks for `emails.value`. */
function single(look: Look, path: string): FilteredAttribute {
  const found = look(path)
  if (!isComplex(found.attribute)) return found
  const inner = lookInside(found.attribute, 'value')
  return { ...inner, values: (document) => follow(found.values(document), [inner.attribute.name]) }
}

function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return isObject(value) ? Object.values(value).some(isPresent) : true
}

function compare(op: Comparison, { attribute, values }: FilteredAttribute, wanted: FilterValue): Matches {
  if (isBoolean(attribute) && op !== 'eq' && op !== 'ne')
    throw refused('invalidFilter', `${attribute.name} is true or false: ${op} does not apply to it`)
  if (wanted === null) {
    if (op !== 'eq' && op !== 'ne')
      throw refused('invalidFilter', `${op} does not apply to null; use eq or ne`)
    return (document) => values(document).some(isPresent) === (op === 'ne')
  }
  const plain = plainFor(attribute)
  const right = plain(wanted)
  if (op === 'ne') return (document) => !values(document).some((value) => plain(value) === right)
  return (document) => values(document).some((value) => holds(op, plain(value), right))
}

type Plain = string | number | boolean | null

/** Values as they are compared: text without its case where that does not count, instants as numbers. */
function plainFor({ type, config }: Attribute): (value: unknown) => Plain {
  return (value) => {
    if (typeof value === 'string') {
      if (type === 'dateTime') return Date.parse(value)
      // Entra writes booleans as text.
      if (type === 'boolean') return value.toLowerCase() === 'true'
      return config.caseExact === true ? value : value.toLowerCase()
    }
    return typeof value === 'number' || typeof value === 'boolean' ? value : null
  }
}

function holds(op: Exclude<Comparison, 'ne'>, left: Plain, right: Plain): boolean {
  if (left === null || right === null || typeof left !== typeof right) return false
  switch (op) {
    case 'eq':
      return left === right
    case 'co':
      return String(left).includes(String(right))
    case 'sw':
      return String(left).startsWith(String(right))
    case 'ew':
      return String(left).endsWith(String(right))
    case 'gt':
      return left > right
    case 'ge':
      return left >= right
    case 'lt':
      return left < right
    case 'le':
      return left <= right
  }
}
