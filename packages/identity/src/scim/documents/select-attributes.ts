import type { SchemaDefinition } from 'scimmy/types'
import { resolveAttribute } from '../filter/attribute-path.ts'
import { isObject, type JsonObject } from './json.ts'

export interface Selection {
  /** Comma-separated attribute paths, as the query gives them. */
  readonly attributes?: string | undefined
  readonly excludedAttributes?: string | undefined
}

const always = ['schemas', 'id']

/** The part of a resource that was asked for (RFC 7644 section 3.9). The id and the schemas always come along. */
export function selectAttributes(
  definition: SchemaDefinition,
  resource: JsonObject,
  { attributes, excludedAttributes }: Selection,
): JsonObject {
  if (attributes !== undefined && attributes.trim() !== '') {
    const wanted = pathsOf(definition, attributes)
    return pick(resource, [...always.map((key) => [key]), ...wanted])
  }
  if (excludedAttributes === undefined || excludedAttributes.trim() === '') return resource
  const excluded = pathsOf(definition, excludedAttributes).filter(([key = '']) => !always.includes(key))
  return omit(resource, excluded)
}

/** True when an attribute will be part of the answer, so that a costly one is read only then. */
export function isSelected(definition: SchemaDefinition, name: string, selection: Selection): boolean {
  return name in selectAttributes(definition, { [name]: [{ value: 'x' }] }, selection)
}

function pathsOf(definition: SchemaDefinition, list: string): (readonly string[])[] {
  return list.split(',').flatMap((path) => {
    const found = resolveAttribute(definition, path.trim())
    return found === null ? [] : [found.keys]
  })
}

function pick(value: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
      const under = paths.filter(([first]) => first === key).map(([, ...rest]) => rest)
      if (under.length === 0) return []
      return [[key, under.some((rest) => rest.length === 0) ? one : inner(one, (part) => pick(part, under))]]
    }),
  )
}

function omit(value: JsonObject, paths: readonly (readonly string[])[]): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
      const under = paths.filter(([first]) => first === key).map(([, ...rest]) => rest)
      if (under.some((rest) => rest.length === 0)) return []
      return [[key, under.length === 0 ? one : inner(one, (part) => omit(part, under))]]
    }),
  )
}

function inner(value: unknown, change: (part: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => (isObject(one) ? change(one) : one))
  return isObject(value) ? change(value) : value
}
