import type { JsonObject } from '@svc/connector'
import { isSettable } from '../../wire/headers.ts'
import { sizeOf } from '../catalogue/schema-budget.ts'
import { isObject } from '../catalogue/words.ts'
import type { BoundBody, BoundParameter } from './binding.ts'
import { resolved } from './pointer.ts'
import { isBinary } from './request.ts'

/** An argument of an operation: its schema is that of the document, not yet copied. */
export interface Argument {
  readonly arg: string
  readonly schema: unknown
  readonly description: unknown
  readonly required: boolean
}

interface Found {
  readonly args: readonly Argument[]
  readonly parameters: readonly BoundParameter[]
  readonly body: BoundBody | null
}

const describedElsewhere = /^(?:accept|content-type|authorization)$/i

/**
 * Path, query, header and body as one flat list. A parameter whose name is taken is called by its place (`query.id`), a
 * field of the body `body.id`. Cookies and headers that are the platform's are left out.
 */
export function argumentsOf(document: unknown, item: JsonObject, operation: JsonObject): Found {
  const args = new Map<string, Argument>()
  const parameters: BoundParameter[] = []
  for (const parameter of parametersOf(document, item, operation)) {
    const bound = boundParameter(parameter, (name, place) => (args.has(name) ? `${place}.${name}` : name))
    if (bound === null || args.has(bound.arg)) continue
    parameters.push(bound)
    const schema = parameter['schema'] ?? firstContent(parameter['content'])?.[1]['schema'] ?? {}
    const { arg, required } = bound
    args.set(arg, { arg, schema, description: parameter['description'], required })
  }
  const body = boundBody(document, operation, (name) => (args.has(name) ? `body.${name}` : name))
  for (const argument of body?.args ?? []) args.set(argument.arg, argument)
  return { args: [...args.values()], parameters, body: body?.bound ?? null }
}

/** Those of the path with those of the operation in their place. */
function parametersOf(document: unknown, item: JsonObject, operation: JsonObject): JsonObject[] {
  const found = new Map<string, JsonObject>()
  for (const list of [item['parameters'], operation['parameters']])
    for (const each of Array.isArray(list) ? list.slice(0, 500) : []) {
      const parameter = resolved(document, each)
      if (parameter) found.set(`${String(parameter['in'])} ${String(parameter['name'])}`, parameter)
    }
  return [...found.values()]
}

function boundParameter(
  parameter: JsonObject,
  argOf: (name: string, place: string) => string,
): BoundParameter | null {
  const { name, in: place, style, explode } = parameter
  if (typeof name !== 'string' || (place !== 'path' && place !== 'query' && place !== 'header')) return null
  if (place === 'header' && (describedElsewhere.test(name) || !isSettable(name))) return null
  const standard = place === 'query' ? 'form' : 'simple'
  const known = {
    path: ['label', 'matrix'],
    query: ['spaceDelimited', 'pipeDelimited', 'deepObject'],
    header: [],
  }
  const named = known[place].find((each) => each === style) ?? standard
  const chosen = isObject(parameter['content']) ? 'json' : stylesOf[named]
  return {
    arg: argOf(name, place),
    name,
    in: place,
    style: chosen ?? standard,
    explode: typeof explode === 'boolean' ? explode : chosen === 'form',
    required: place === 'path' || parameter['required'] === true,
  }
}

const stylesOf: Readonly<Record<string, BoundParameter['style']>> = {
  form: 'form',
  simple: 'simple',
  label: 'label',
  matrix: 'matrix',
  spaceDelimited: 'spaceDelimited',
  pipeDelimited: 'pipeDelimited',
  deepObject: 'deepObject',
}

function boundBody(document: unknown, operation: JsonObject, argOf: (name: string) => string) {
  const body = resolved(document, operation['requestBody'])
  const content = firstContent(body?.['content'])
  if (body === undefined || content === undefined) return null
  const [type, { schema = {} }] = content
  const isNeeded = body['required'] === true
  const fields = isBinary(type) ? null : fieldsOf(document, schema)
  const holdsFields = /\bjson\b|x-www-form-urlencoded|^multipart\/form-data$/i.test(type)
  if (fields === null || !holdsFields) {
    const arg = argOf('body')
    const argument = {
      arg,
      schema: isBinary(type) ? base64 : schema,
      description: body['description'],
      required: isNeeded,
    }
    return { args: [argument], bound: { type, whole: arg, fields: [] } }
  }
  const named = fields.map(({ name, ...rest }) => ({ ...rest, name, arg: argOf(name) }))
  const args = named.map(({ arg, schema: field, required }) => ({
    arg,
    schema: isBytes(document, field) ? base64 : field,
    description: undefined,
    required: isNeeded && required,
  }))
  const bound = named.map(({ arg, name, schema: field }) => ({ arg, name, bytes: isBytes(document, field) }))
  return { args, bound: { type, whole: null, fields: bound } }
}

const base64 = { type: 'string', description: 'Bytes in base64.' }

function isBytes(document: unknown, schema: unknown): boolean {
  return resolved(document, schema)?.['format'] === 'binary'
}

/** JSON if there is any, else a form, else the first. */
function firstContent(content: unknown): [string, JsonObject] | undefined {
  if (!isObject(content) || sizeOf(content) > 100) return undefined
  const known = Object.entries(content).flatMap(([type, value]): [string, JsonObject][] =>
    isObject(value) ? [[type.trim().toLowerCase(), value]] : [],
  )
  const order = [/^application\/json\b/, /\bjson\b/, /x-www-form-urlencoded/, /^multipart\/form-data/, /./]
  return order.map((pattern) => known.find(([type]) => pattern.test(type))).find((each) => each !== undefined)
}

interface Field {
  readonly name: string
  readonly schema: unknown
  readonly required: boolean
}

/** A body of more fields, or of more parts, is one argument. */
const maxFields = 200
const maxParts = 50

/** The fields of a body that is an object of named fields and nothing else; null for any other. */
function fieldsOf(document: unknown, schema: unknown): Field[] | null {
  const parts = partsOf(document, schema)
  if (parts === null) return null
  const all = new Map<string, Field>()
  for (const { properties } of parts)
    for (const [name, each] of Object.entries(isObject(properties) ? properties : {}))
      if (resolved(document, each)?.['readOnly'] !== true)
        all.set(name, { name, schema: each, required: false })
  const required = new Set(
    parts.flatMap(({ required: names }) => (Array.isArray(names) ? names.slice(0, maxFields) : [])),
  )
  const isClosed = parts.some(({ additionalProperties }) => additionalProperties === false)
  if (all.size > maxFields || (all.size === 0 && !isClosed)) return null
  return [...all.values()].map((field) => ({ ...field, required: required.has(field.name) }))
}

/** The object and those of its `allOf`, each once; null where any is more than named fields. */
function partsOf(document: unknown, schema: unknown): JsonObject[] | null {
  const parts = new Set<JsonObject>()
  const waiting = [schema]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const object = resolved(document, next)
    if (object === undefined || parts.size >= maxParts) return null
    if (parts.has(object)) continue
    parts.add(object)
    const { additionalProperties: more, patternProperties, oneOf, anyOf, not, if: condition } = object
    if ([patternProperties, oneOf, anyOf, not, condition].some((each) => each !== undefined)) return null
    if (more === true || (isObject(more) && Object.keys(more).length > 0)) return null
    const { properties, allOf } = object
    if (isObject(properties) && sizeOf(properties) > maxFields) return null
    if (!Array.isArray(allOf)) continue
    if (allOf.length > maxParts) return null
    waiting.push(...allOf)
  }
  // Deeper parts first, so that the outer one has the last word on a field.
  return [...parts].reverse()
}
