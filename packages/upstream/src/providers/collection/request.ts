import type { JsonObject } from '@svc/connector'
import { UpstreamRefusal } from '../../shapes.ts'
import type { Asked } from '../../wire/exchange.ts'
import { type Body, bytesOf, formOf, multipartOf, textOf } from '../body.ts'
import { confinedUrl } from '../confined-url.ts'
import type { CollectionBinding } from './binding.ts'
import { escapedXml, filled, filledJson } from './fill.ts'

/** The request below `base` with arguments at its variables. Throws `UpstreamRefusal` for arguments that make none. */
export async function requestFor(base: URL, bound: CollectionBinding, args: JsonObject): Promise<Asked> {
  const valueOf = (arg: string): unknown => {
    const value = Object.hasOwn(args, arg) ? args[arg] : bound.defaults[arg]
    if (value === undefined) throw invalid(`\`${arg}\` is missing: give it.`)
    if (bound.words.includes(arg) && !/^[\w .:@-]*$/.test(textOf(value)))
      throw invalid(`\`${arg}\` stands in a program: only letters, digits and plain signs may be in it.`)
    return value
  }
  const encoded = (text: string) => filled(text, valueOf, encodeURIComponent)
  const url = confinedUrl(base, encoded(bound.path).replaceAll('?', '%3F'))
  const pairs = bound.query.map(({ name, value }) => `${encoded(name)}=${encoded(value)}`)
  url.search = [url.search.slice(1), ...pairs].filter((part) => part !== '').join('&')
  const headers = bound.headers.map(({ name, value }) => [filled(name, valueOf), filled(value, valueOf)])
  const { type, bytes } = await bodyFor(bound.body, args, valueOf)
  return {
    method: bound.method,
    url,
    headers: { ...(type !== null && { 'content-type': type }), ...Object.fromEntries(headers) },
    body: bytes,
  }
}

async function bodyFor(
  body: CollectionBinding['body'],
  args: JsonObject,
  valueOf: (arg: string) => unknown,
): Promise<Body> {
  switch (body?.mode) {
    case undefined:
      return { type: null, bytes: null }
    case 'text':
      return { type: body.type, bytes: Buffer.from(textFor(body, valueOf)) }
    case 'form': {
      const pairs = body.fields.map(({ name, value }) =>
        formOf({ [filled(name, valueOf)]: filled(value, valueOf) }),
      )
      return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(pairs.join('&')) }
    }
    case 'multipart':
      return multipartOf([
        ...body.fields.map(({ name, value }) => ({
          name: filled(name, valueOf),
          value: filled(value, valueOf),
        })),
        ...body.files
          .filter((name) => args[name] !== undefined)
          .map((name) => ({ name, value: bytesOf(args[name], name) })),
      ])
    case 'file':
      return args[body.arg] === undefined
        ? { type: null, bytes: null }
        : { type: 'application/octet-stream', bytes: bytesOf(args[body.arg], body.arg) }
  }
}

function textFor(
  { text, format }: { readonly text: string; readonly format: 'json' | 'xml' | 'plain' },
  valueOf: (arg: string) => unknown,
): string {
  if (format === 'json') return filledJson(text, valueOf)
  return filled(text, valueOf, format === 'xml' ? escapedXml : undefined)
}

function invalid(message: string): UpstreamRefusal {
  return new UpstreamRefusal('invalid_arguments', message)
}
