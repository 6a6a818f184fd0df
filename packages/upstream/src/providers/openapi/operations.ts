import type { ConnectorAction, JsonObject } from '@svc/connector'
import { actionNames } from '../catalogue/names.ts'
import { riskOfMethod } from '../catalogue/risk.ts'
import { schemaBudget, type SchemaBudget } from '../catalogue/schema-budget.ts'
import { described, isObject, requireFewer, shortened } from '../catalogue/words.ts'
import { argumentsOf } from './arguments.ts'
import type { OpenapiBinding } from './binding.ts'
import { resolved } from './pointer.ts'
import { schemaCopier } from './schema.ts'

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const

interface Operation {
  readonly method: string
  readonly path: string
  readonly item: JsonObject
  readonly operation: JsonObject
}

/** An action for each operation of a document, in its order. Throws `UpstreamRefusal` where they are too many. */
export function actionsOf(document: JsonObject, server: string | null): ConnectorAction[] {
  const found = operationsOf(document)
  const nameOf = actionNames()
  const budget = schemaBudget()
  return found.map((each) => actionOf(document, each, { name: nameOf(idOf(each)), server, budget }))
}

function operationsOf(document: JsonObject): Operation[] {
  const paths = isObject(document['paths']) ? document['paths'] : {}
  const found: Operation[] = []
  for (const [path, value] of Object.entries(paths)) {
    const item = path.startsWith('/') ? resolved(document, value) : undefined
    if (item === undefined) continue
    for (const method of methods) {
      const operation = item[method]
      if (isObject(operation)) found.push({ method, path, item, operation })
    }
    requireFewer(found.length, 'operations')
  }
  return found
}

function idOf({ operation, method, path }: Operation): string {
  const { operationId } = operation
  return typeof operationId === 'string' && operationId.trim() !== '' ? operationId : `${method}${path}`
}

interface Named {
  readonly name: string
  readonly server: string | null
  readonly budget: SchemaBudget
}

function actionOf(
  document: JsonObject,
  { method, path, item, operation }: Operation,
  { name, server, budget }: Named,
): ConnectorAction {
  const upper = method.toUpperCase()
  const { summary, description, deprecated } = operation
  const found = argumentsOf(document, item, operation)
  const body = upper === 'GET' || upper === 'HEAD' ? null : found.body
  const inBody = new Set(found.body && body === null ? bodyArgs(found.body) : [])
  const args = found.args.filter(({ arg }) => !inBody.has(arg))
  const { copy, defs } = schemaCopier(document, budget)
  const properties = args.map(({ arg, schema, description: words }) => {
    const copied = copy(schema)
    const plain = isObject(copied) ? copied : {}
    return [arg, typeof words === 'string' ? { ...plain, description: shortened(words, 1_000) } : plain]
  })
  const required = args.filter((each) => each.required).map(({ arg }) => arg)
  const binding: OpenapiBinding = { method: upper, path, server, parameters: [...found.parameters], body }
  const words = described(summary, description, summary, `${upper} ${path}`)
  return {
    action: name,
    title: words.title,
    description: deprecated === true ? `Deprecated. ${words.description}` : words.description,
    risk: riskOfMethod(upper),
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...defs(),
    },
    binding: { ...binding },
  }
}

function bodyArgs({ whole, fields }: NonNullable<OpenapiBinding['body']>): string[] {
  return whole === null ? fields.map(({ arg }) => arg) : [whole]
}
