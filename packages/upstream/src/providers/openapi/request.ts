import type { JsonObject } from '@svc/connector'
import { UpstreamRefusal } from '../../shapes.ts'
import type { Asked } from '../../wire/exchange.ts'
import { type Body, bodyOf, bytesOf, formOf, multipartOf, textOf } from '../body.ts'
import { confinedUrl } from '../confined-url.ts'
import type { BoundBody, OpenapiBinding } from './binding.ts'
import { queryPairs, simpleText } from './serialize.ts'

/** The request of an operation below `base`. Throws `UpstreamRefusal` for arguments that make none. */
export async function requestFor(base: URL, binding: OpenapiBinding, args: JsonObject): Promise<Asked> {
  const query: string[] = []
  const headers: Record<string, string> = { accept: 'application/json, text/*;q=0.8, */*;q=0.5' }
  let path = binding.path
  for (const parameter of binding.parameters) {
    const value = args[parameter.arg]
    if (value === undefined) {
      if (parameter.required) throw missing(parameter.arg)
      continue
    }
    if (parameter.in === 'query') query.push(...queryPairs(parameter, value))
    else if (parameter.in === 'header')
      headers[parameter.name.toLowerCase()] = simpleText(parameter, value, (text) => text)
    else {
      const written = simpleText(parameter, value, encodeURIComponent)
      if (written === '') throw missing(parameter.arg)
      path = path.split(`{${parameter.name}}`).join(written)
    }
  }
  const url = confinedUrl(base, path)
  url.search = [url.search.slice(1), ...query].filter((part) => part !== '').join('&')
  const { type, bytes } = await bodyFor(binding.body, args)
  return {
    method: binding.method,
    url,
    headers: { ...headers, ...(type !== null && { 'content-type': type }) },
    body: bytes,
  }
}

async function bodyFor(body: BoundBody | null, args: JsonObject): Promise<Body> {
  const none = { type: null, bytes: null }
  if (body === null) return none
  if (body.whole !== null) {
    const value = args[body.whole]
    if (value === undefined) return none
    if (isBinary(body.type)) return { type: body.type, bytes: bytesOf(value, body.whole) }
    if (/\bjson\b/i.test(body.type)) return { type: body.type, bytes: Buffer.from(JSON.stringify(value)) }
    return bodyOf(value, body.type)
  }
  const given = body.fields.filter(({ arg }) => args[arg] !== undefined)
  if (given.length === 0) return none
  const fields = Object.fromEntries(given.map(({ arg, name }) => [name, args[arg]]))
  if (body.type === 'multipart/form-data') {
    const parts = given.flatMap(({ arg, name, bytes }) =>
      [args[arg]].flat().map((value) => ({ name, value: bytes ? bytesOf(value, arg) : textOf(value) })),
    )
    return multipartOf(parts)
  }
  if (body.type === 'application/x-www-form-urlencoded')
    return { type: body.type, bytes: Buffer.from(formOf(fields)) }
  return { type: body.type, bytes: Buffer.from(JSON.stringify(fields)) }
}

/** Media types whose body is no text: the argument is base64. */
export function isBinary(type: string): boolean {
  return /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|gzip)/.test(type)
}

function missing(arg: string): UpstreamRefusal {
  return new UpstreamRefusal('invalid_arguments', `\`${arg}\` is missing: give it.`)
}
