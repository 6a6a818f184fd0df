import type { ConnectorAction, JsonObject } from '@svc/connector'
import { Item } from 'postman-collection'
import { actionNames } from '../catalogue/names.ts'
import { riskOfMethod } from '../catalogue/risk.ts'
import { schemaBudget } from '../catalogue/schema-budget.ts'
import { described, isObject, unreadable } from '../catalogue/words.ts'
import { baseAddress } from '../confined-url.ts'
import type { CollectionBinding } from './binding.ts'
import { bodyOf } from './bodies.ts'
import type { CollectionFile } from './file.ts'
import { argsIn, filled, valueArgsIn } from './fill.ts'
import { pairsOf } from './pairs.ts'

/** fetch makes no request of these. */
const unsendable = new Set(['CONNECT', 'TRACE', 'TRACK'])

/**
 * An action for each request. `named` says that the manifest names the address; else it is that of the requests, which must
 * be one. Variables in an address are never arguments. Throws `UpstreamRefusal` where the address is none or several.
 */
export function actionsOf({ items, variables }: CollectionFile, named: boolean): ConnectorAction[] {
  const nameOf = actionNames()
  const budget = schemaBudget()
  const actions = items.flatMap((item) => {
    const bound = boundRequest(item, variables, named)
    if (bound === null || unsendable.has(bound.method)) return []
    const values = Object.values(bound.defaults)
    budget.spend(values.length, 2 * values.join('').length)
    const { name, description, request } = item
    const { method, path } = bound
    const words = described(
      name,
      textOf(isObject(request) ? request['description'] : undefined),
      textOf(description),
      name,
      `${method} ${path}`,
    )
    const action: ConnectorAction = {
      action: nameOf(String(name ?? `${method}${path}`).toLowerCase()),
      ...words,
      risk: riskOfMethod(method),
      input_schema: schemaOf(bound),
      binding: { ...bound },
    }
    return [action]
  })
  const origins = new Set(
    actions.map(({ binding }) => binding['server']).map((at) => at && new URL(String(at)).origin),
  )
  if (origins.size > 1)
    throw unreadable(
      `The requests go to several hosts (${[...origins].slice(0, 3).join(', ')}): set \`base_url\` in the manifest, or keep a file for each.`,
    )
  return actions
}

function boundRequest(
  item: JsonObject,
  variables: CollectionFile['variables'],
  named: boolean,
): CollectionBinding | null {
  const request: unknown = new Item({ request: Object(item['request']) }).request?.toJSON()
  if (!isObject(request)) return null
  const url = isObject(request['url']) ? request['url'] : {}
  const path = pathOf(url)
  const method = String(request['method'] ?? 'GET').toUpperCase()
  const headers = pairsOf(request['header']).map(({ name, value }) => ({ name: name.toLowerCase(), value }))
  const type = headers.find(({ name }) => name === 'content-type')?.value
  const { body, words } = method === 'GET' || method === 'HEAD' ? none : bodyOf(request['body'], type)
  const bound = {
    method,
    server: named ? null : serverOf(url, variables),
    path: path.text,
    query: pairsOf(url['query']),
    headers: body?.mode === 'multipart' ? headers.filter(({ name }) => name !== 'content-type') : headers,
    body,
    words,
  }
  const names = new Set(textsOf(bound).flatMap(argsIn))
  const defaults = [...names].flatMap((name) => {
    const value = [path.defaults, variables].find((each) => Object.hasOwn(each, name))?.[name]
    // A value that is itself made of variables is resolved here.
    const text = value === undefined ? null : resolvedText(value, variables)
    return text === null || argsIn(text).length > 0 ? [] : [[name, text] as const]
  })
  return { ...bound, defaults: Object.fromEntries(defaults) }
}

const none = { body: null, words: [] }

/** `users/:id` has its variable as `{{id}}`. */
function pathOf(url: JsonObject) {
  const segments = Array.isArray(url['path']) ? url['path'].map(String) : []
  const defaults = Object.fromEntries(
    pairsOf(url['variable'])
      .filter(({ value }) => value !== '')
      .map(({ name, value }) => [name, value]),
  )
  const text = segments.map((segment) => segment.replace(/^:([^{}:]+)$/, '{{$1}}')).join('/')
  return { text: segments.length === 0 ? '' : `/${text}`, defaults }
}

function serverOf(url: JsonObject, variables: CollectionFile['variables']): string {
  const { protocol, host, port } = url
  const hosts = (Array.isArray(host) ? host.map(String).join('.') : '') + (port ? `:${String(port)}` : '')
  const text = resolvedText(protocol ? `${String(protocol)}://${hosts}` : hosts, variables)
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  if (argsIn(text).length > 0 || hosts === '' || !URL.canParse(whole))
    throw unreadable(
      `The address of a request cannot be told from the file (${hosts.slice(0, 100) || 'it has none'}): set \`base_url\` in the manifest.`,
    )
  return baseAddress(whole, 'spec').href
}

function resolvedText(text: string, variables: CollectionFile['variables'], depth = 0): string {
  if (depth > 5 || argsIn(text).length === 0 || text.length > 1_000) return text
  const next = filled(text, (name) => (Object.hasOwn(variables, name) ? variables[name] : `{{${name}}}`))
  return next === text ? text : resolvedText(next, variables, depth + 1)
}

function textsOf({ path, query, headers, body }: Omit<CollectionBinding, 'defaults'>): string[] {
  const pairs = [...query, ...headers, ...(body !== null && 'fields' in body ? body.fields : [])]
  const text = body?.mode === 'text' ? [body.text] : []
  return [path, ...pairs.flatMap(({ name, value }) => [name, value]), ...text]
}

function schemaOf(bound: CollectionBinding): JsonObject {
  const { body, defaults } = bound
  const free = body?.mode === 'text' && body.format === 'json' ? valueArgsIn(body.text) : new Set<string>()
  const names = [...new Set(textsOf(bound).flatMap(argsIn))]
  const files = body?.mode === 'multipart' ? body.files : body?.mode === 'file' ? [body.arg] : []
  const properties = names.map((name) => {
    const type = free.has(name) ? {} : { type: ['string', 'number', 'boolean'] }
    return [name, { ...type, ...(defaults[name] !== undefined && { default: defaults[name] }) }]
  })
  const required = names.filter((name) => defaults[name] === undefined)
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(properties),
      ...Object.fromEntries(files.map((name) => [name, { type: 'string', description: 'Bytes in base64.' }])),
    },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

/** A description is a text, or an object that holds one. */
function textOf(description: unknown): unknown {
  return isObject(description) ? description['content'] : description
}
