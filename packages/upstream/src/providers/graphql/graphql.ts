import type { JsonObject } from '@svc/connector'
import { buildClientSchema, getIntrospectionQuery, type GraphQLSchema } from 'graphql'
import { type Provider, type Target, UpstreamRefusal } from '../../shapes.ts'
import { type Asked, exchange, type Read, requestOf, type Upstream } from '../../wire/exchange.ts'
import { answerTo } from '../../wire/read-document.ts'
import { redactor } from '../../wire/redact.ts'
import { isObject, unreadable } from '../catalogue/words.ts'
import { baseAddress } from '../confined-url.ts'
import { actionsOf, graphqlBinding } from './actions.ts'
import { parsed, requireOperations, selectionOf, wholeQuery } from './documents.ts'

/** A GraphQL service, an action for each root field that its introspection names, and one for a whole document. */
export function graphqlProvider(upstream: Upstream): Provider {
  return {
    list: async (target, signal) => {
      const asked = posted(endpoint(target), {
        query: getIntrospectionQuery({ inputValueDeprecation: false }),
      })
      const request = await requestOf(upstream, target, asked, null)
      const bytes = await answerTo(upstream, request, signal)
      return actionsOf(schemaFrom(bytes, redactor(target.credential).text))
    },
    call: (target, { action, binding }, args, options) =>
      exchange(
        upstream,
        target,
        () => posted(endpoint(target), action === wholeQuery ? wholeBody(args) : fieldBody(binding, args)),
        options,
        ({ http, truncated }) => readAnswer(http.body, truncated),
      ),
    origin: async (target) => endpoint(target).origin,
  }
}

function endpoint({ connector }: Pick<Target, 'connector'>): URL {
  return baseAddress(connector.provider === 'graphql' ? connector.endpoint : '', 'endpoint')
}

function posted(url: URL, body: object): Asked {
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  return { method: 'POST', url, headers, body: Buffer.from(JSON.stringify(body)) }
}

function wholeBody({ query, variables, operation_name }: JsonObject): object {
  if (typeof query !== 'string') throw invalid('`query` must be a text')
  if (variables !== undefined && !isObject(variables)) throw invalid('`variables` must be an object')
  if (operation_name !== undefined && typeof operation_name !== 'string')
    throw invalid('`operation_name` must be a text')
  requireOperations(parsed(query, 'query'), operation_name ?? null)
  return {
    query,
    ...(variables && { variables }),
    ...(operation_name !== undefined && { operationName: operation_name }),
  }
}

function fieldBody(binding: JsonObject, args: JsonObject): object {
  const { data: bound } = graphqlBinding.safeParse(binding)
  if (bound === undefined) throw unreadable('The action is of an older catalogue: sync the connector.')
  const { operation, field, selection } = bound
  const given = bound.variables.filter(({ arg }) => args[arg] !== undefined)
  const list = (words: string[]) => (words.length === 0 ? '' : `(${words.join(', ')})`)
  const declared = list(given.map(({ name, type }) => `$${name}: ${type}`))
  const passed = list(given.map(({ name }) => `${name}: $${name}`))
  const { fields } = args
  if (selection !== null && fields !== undefined && typeof fields !== 'string')
    throw invalid('`fields` must be a text')
  const chosen = selection !== null && typeof fields === 'string' ? selectionOf(fields) : (selection ?? '')
  return {
    query: `${operation}${declared} { ${field}${passed} ${chosen} }`,
    variables: Object.fromEntries(given.map(({ arg, name }) => [name, args[arg]])),
  }
}

/** `{ data, errors }`. Errors without any data are a failure, also under status 200. */
function readAnswer(body: unknown, truncated: boolean): Read {
  if (!isObject(body) || !('data' in body || 'errors' in body))
    return truncated
      ? { data: body, truncated }
      : { data: body, truncated, failed: 'The answer is no answer of GraphQL: check the endpoint.' }
  const { data = null, errors } = body
  const list = Array.isArray(errors) ? errors : []
  const answer = { data: { data, ...(list.length > 0 && { errors: list }) }, truncated }
  const isEmpty = data === null || (isObject(data) && Object.values(data).every((value) => value === null))
  if (list.length === 0 || !isEmpty) return answer
  const first: unknown = list[0]
  const words = isObject(first) && typeof first['message'] === 'string' ? first['message'] : 'no reason'
  return { ...answer, failed: `The service answered with errors: ${words.slice(0, 500)}` }
}

function schemaFrom(bytes: Buffer, redact: (text: string) => string): GraphQLSchema {
  try {
    const answer: unknown = JSON.parse(bytes.toString('utf8'))
    if (!isObject(answer) || !isObject(answer['data'])) {
      const errors = isObject(answer) && Array.isArray(answer['errors']) ? answer['errors'] : []
      throw new Error(isObject(errors[0]) ? String(errors[0]['message']) : 'it holds no schema')
    }
    return buildClientSchema(Object(answer['data']))
  } catch (error) {
    const words = redact(error instanceof Error ? error.message : 'it cannot be read').slice(0, 300)
    throw unreadable(
      `The service does not describe itself (${words}): allow introspection for this connection.`,
    )
  }
}

function invalid(rule: string): UpstreamRefusal {
  return new UpstreamRefusal('invalid_arguments', `${rule}: correct the arguments.`)
}
