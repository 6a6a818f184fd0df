import { type DocumentedOperation, documentedOperations, type OpenApiDocument } from '../support/openapi.ts'
import { type Direction, schemaChanges } from './schema-changes.ts'

type Content = Readonly<Record<string, { readonly schema?: unknown }>>

/**
 * The differences in `after` that break a caller that was written for `before`: an operation, parameter, credential,
 * form or field that is gone, a new demand on requests, and answers that may be what they never were. New values of
 * an enum in an answer, new fields and new refusals are none: callers are told to expect them.
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const now = new Map(documentedOperations(after).map((operation) => [keyOf(operation), operation]))
  const resolveIn =
    ({ components }: OpenApiDocument) =>
    (ref: string) =>
      components.schemas[ref.split('/').at(-1) ?? '']
  const [resolveOld, resolveNew] = [resolveIn(before), resolveIn(after)]
  const compare = (a: unknown, b: unknown, at: string, direction: Direction) =>
    schemaChanges({ schema: a, resolve: resolveOld }, { schema: b, resolve: resolveNew }, at, {
      direction,
      inside: [],
    })

  return documentedOperations(before).flatMap((old) => {
    const operation = now.get(keyOf(old))
    const name = keyOf(old)
    if (operation === undefined) return [`${name}: is gone`]
    return [
      ...(operation.operationId === old.operationId ? [] : [`${name}: its operationId changed`]),
      ...credentialChanges(old, operation, name),
      ...parameterChanges(old, operation, name, compare),
      ...requestChanges(old, operation, name, compare),
      ...responseChanges(old, operation, name, compare),
    ]
  })
}

type Compare = (a: unknown, b: unknown, at: string, direction: Direction) => string[]

function keyOf({ method, path }: DocumentedOperation): string {
  // No caller sees the names of a path's parameters.
  return `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`
}

function credentialChanges(old: DocumentedOperation, now: DocumentedOperation, name: string): string[] {
  const kinds = (operation: DocumentedOperation) =>
    (operation.security ?? []).flatMap((requirement) => Object.keys(requirement))
  if (kinds(old).length === 0) return kinds(now).length === 0 ? [] : [`${name}: needs a credential`]
  if (kinds(now).length === 0) return []
  return kinds(old)
    .filter((kind) => !kinds(now).includes(kind))
    .map((kind) => `${name}: refuses ${kind}`)
}

function parameterChanges(
  old: DocumentedOperation,
  now: DocumentedOperation,
  name: string,
  compare: Compare,
): string[] {
  const sent = (operation: DocumentedOperation) => operation.parameters.filter((one) => one.in !== 'path')
  const known = new Map(sent(old).map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))
  const still = new Map(sent(now).map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))
  return [
    ...[...known.keys()].filter((key) => !still.has(key)).map((key) => `${name}: ${key} is gone`),
    ...[...still].flatMap(([key, parameter]) => {
      const before = known.get(key)
      const demanded = parameter['required'] === true && before?.['required'] !== true
      return [
        ...(demanded ? [`${name}: ${key} is required`] : []),
        ...(before === undefined
          ? []
          : compare(before['schema'], parameter['schema'], `${name}: ${key}`, 'request')),
      ]
    }),
  ]
}

function requestChanges(
  old: DocumentedOperation,
  now: DocumentedOperation,
  name: string,
  compare: Compare,
): string[] {
  const [before, after] = [old.requestBody, now.requestBody]
  if (before === undefined) return after?.['required'] === true ? [`${name}: needs a body`] : []
  if (after === undefined) return [`${name}: takes no body any more`]
  const demanded = after['required'] === true && before['required'] !== true
  return [
    ...(demanded ? [`${name}: needs a body`] : []),
    ...contentChanges(before.content, after.content, `${name} request`, 'request', compare),
  ]
}

/** The breaking changes of the answers that a caller counts on; refusals come and go. */
function responseChanges(
  old: DocumentedOperation,
  now: DocumentedOperation,
  name: string,
  compare: Compare,
): string[] {
  return Object.entries(old.responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, before]) => {
      const after = now.responses[status]
      if (after === undefined) return [`${name}: ${status} is gone`]
      return contentChanges(
        before.content ?? {},
        after.content ?? {},
        `${name} ${status}`,
        'response',
        compare,
      )
    })
}

function contentChanges(
  before: Content,
  after: Content,
  at: string,
  direction: Direction,
  compare: Compare,
): string[] {
  return Object.entries(before).flatMap(([type, { schema }]) => {
    const now = after[type]
    return now === undefined ? [`${at}: ${type} is gone`] : compare(schema, now.schema, at, direction)
  })
}
