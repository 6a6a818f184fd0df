import { UpstreamRefusal } from '../shapes.ts'

/** A body and its media type; null where a request has none. */
export interface Body {
  readonly type: string | null
  readonly bytes: Uint8Array | null
}

/** A text is sent as it is, anything else as JSON, or as a form where the headers say so. */
export function bodyOf(value: unknown, type: string | undefined): Body {
  if (value === undefined) return { type: null, bytes: null }
  if (typeof value === 'string')
    return { type: type ?? 'text/plain; charset=utf-8', bytes: Buffer.from(value) }
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type ?? '')
  if (isForm && typeof value === 'object' && value !== null)
    return { type: type ?? null, bytes: Buffer.from(formOf(value)) }
  return { type: type ?? 'application/json', bytes: Buffer.from(JSON.stringify(value)) }
}

/** `a=1&b=2&b=3`, with objects as JSON. */
export function formOf(fields: object): string {
  const pairs = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined)
      .map((each) => [name, textOf(each)]),
  )
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? wellFormed(value) : (JSON.stringify(value) ?? '')
}

/** Half a letter cannot be written in UTF-8, and makes encoders throw. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}

/** A form of several parts; bytes are files. */
export async function multipartOf(
  parts: readonly { readonly name: string; readonly value: string | Uint8Array<ArrayBuffer> }[],
): Promise<Body> {
  const form = new FormData()
  for (const { name, value } of parts)
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([value]), name)
  const made = new Response(form)
  return { type: made.headers.get('content-type'), bytes: new Uint8Array(await made.arrayBuffer()) }
}

/** An argument that is base64. Throws `UpstreamRefusal` where it is none. */
export function bytesOf(value: unknown, arg: string): Uint8Array<ArrayBuffer> {
  const text = typeof value === 'string' ? value : ''
  if (text === '' || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text))
    throw new UpstreamRefusal('invalid_arguments', `\`${arg}\` must be bytes in base64.`)
  return Uint8Array.from(Buffer.from(text, 'base64'))
}
