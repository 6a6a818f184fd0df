import type { JsonObject } from '@svc/connector'
import { UpstreamRefusal } from '../../shapes.ts'
import type { Asked } from '../../wire/exchange.ts'
import { bodyOf, formOf, textOf } from '../body.ts'
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

async function bodyFor(body: BoundBody | null, args: JsonObject): ReturnType<typeof multipart> {
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
  if (body.type === 'multipart/form-data') return multipart(given, args)
  if (body.type === 'application/x-www-form-urlencoded')
    return { type: body.type, bytes: Buffer.from(formOf(fields)) }
  return { type: body.type, bytes: Buffer.from(JSON.stringify(fields)) }
}

async function multipart(
  fields: BoundBody['fields'],
  args: JsonObject,
): Promise<{ type: string | null; bytes: Uint8Array | null }> {
  const form = new FormData()
  for (const { arg, name, bytes } of fields)
    for (const value of [args[arg]].flat())
      if (bytes) form.append(name, new Blob([bytesOf(value, arg)]), name)
      else form.append(name, textOf(value))
  const made = new Response(form)
  return { type: made.headers.get('content-type'), bytes: new Uint8Array(await made.arrayBuffer()) }
}

/** Media types whose body is no text: the argument is base64. */
export function isBinary(type: string): boolean {
  return /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|gzip)/.test(type)
}

function bytesOf(value: unknown, arg: string): Uint8Array<ArrayBuffer> {
  const text = typeof value === 'string' ? value : ''
  if (text === '' || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text))
    throw new UpstreamRefusal('invalid_arguments', `\`${arg}\` must be bytes in base64.`)
  return Uint8Array.from(Buffer.from(text, 'base64'))
}

function missing(arg: string): UpstreamRefusal {
  return new UpstreamRefusal('invalid_arguments', `\`${arg}\` is missing: give it.`)
}
