import type { ConnectorAction, JsonObject } from '@svc/connector'
import { type Provider, type Target, UpstreamRefusal } from '../shapes.ts'
import { type Asked, exchange, type Upstream } from '../wire/exchange.ts'
import { bodyOf, formOf, textOf } from './body.ts'
import { baseAddress, confinedUrl } from './confined-url.ts'
import { riskOfMethod } from './catalogue/risk.ts'

const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const
const bodyless: readonly string[] = ['get', 'head']

/** Requests below one address, an action for each method. */
export function httpProvider(upstream: Upstream): Provider {
  return {
    list: async (target) => {
      const { href } = base(target)
      return methods.map((method) => actionOf(method, href))
    },
    call: (target, { action }, args, options) =>
      exchange(upstream, target, () => askedFor(base(target), action, args), options),
    origin: async (target) => base(target).origin,
  }
}

function base({ connector }: Pick<Target, 'connector'>): URL {
  return baseAddress(connector.provider === 'http' ? connector.base_url : '')
}

function actionOf(method: (typeof methods)[number], href: string): ConnectorAction {
  const body = { description: 'An object or a list is sent as JSON, a text as it is.' }
  return {
    action: method,
    title: null,
    description: `Sends ${method.toUpperCase()} to a path below ${href}`,
    risk: riskOfMethod(method),
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: `Below ${href}; it may carry a query.` },
        query: { type: 'object', description: 'Parameters; a list repeats its parameter.' },
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        ...(bodyless.includes(method) ? {} : { body }),
      },
      required: ['path'],
      additionalProperties: false,
    },
    binding: { method: method.toUpperCase() },
  }
}

function askedFor(root: URL, action: string, args: JsonObject): Asked {
  if (!methods.some((method) => method === action))
    throw new UpstreamRefusal(
      'action_not_found',
      `There is no action ${action}; there are ${methods.join(', ')}.`,
    )
  const { path, query = {}, body } = args
  if (typeof path !== 'string') throw invalid('`path` must be a text')
  if (!isObject(query)) throw invalid('`query` must be an object')
  if (body !== undefined && bodyless.includes(action)) throw invalid(`${action} has no body`)
  const url = confinedUrl(root, path)
  const more = formOf(query)
  if (more !== '') url.search = [url.search.slice(1), more].filter((part) => part !== '').join('&')
  const headers = textsOf(args['headers'] ?? {})
  const { type, bytes } = bodyOf(body, headers['content-type'])
  return {
    method: action.toUpperCase(),
    url,
    headers: { ...headers, ...(type !== null && { 'content-type': type }) },
    body: bytes,
  }
}

function textsOf(headers: unknown): Record<string, string> {
  if (!isObject(headers)) throw invalid('`headers` must be an object')
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (typeof value === 'object' && value !== null) throw invalid(`the header ${name} must be a text`)
      return [name.toLowerCase(), textOf(value)]
    }),
  )
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(rule: string): UpstreamRefusal {
  return new UpstreamRefusal('invalid_arguments', `${rule}: correct the arguments.`)
}
