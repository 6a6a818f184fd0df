import { upstreamLimits } from './limits.ts'
import type { Redactor } from './redact.ts'

/** An answer as it is carried on: JSON as its value, text as it is, else base64, which `encoding` says. */
export interface HttpData {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly encoding?: 'base64'
}

/** Headers of a connection that has ended, of a body that was decompressed, and a session's cookie, which is a credential. */
const left = /^(?:connection|keep-alive|transfer-encoding|content-(?:encoding|length)|set-cookie2?|proxy-.*)$/
const textual =
  /^(?:text\/|application\/(?:xml|javascript|yaml|x-yaml|graphql|toml|x-www-form-urlencoded|.*\+(?:xml|yaml)))/

/** The whole answer without the credential; `truncated` where its body was cut to the limit of an answer. */
export function httpData(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  bytes: Buffer,
  redact: Redactor,
): { readonly data: HttpData; readonly truncated: boolean } {
  const said = Object.fromEntries(
    [...headers].filter(([name]) => !left.test(name)).map(([name, text]) => [name, redact.text(text)]),
  )
  const { truncated, ...body } = bodyOf(headers.get('content-type') ?? '', bytes, redact)
  return { data: { status, headers: said, ...body }, truncated }
}

function bodyOf(type: string, bytes: Buffer, redact: Redactor) {
  const limit = upstreamLimits.answer_bytes
  const media = (type.split(';')[0] ?? '').trim().toLowerCase()
  const isJson = /^[a-z]+\/(?:[^;]*\+)?(?:json|x-json|json5)$/.test(media)
  if (isJson && bytes.length <= limit) {
    const value = jsonOf(bytes, redact)
    if (value !== undefined) return { body: value, truncated: false }
  }
  const text = isJson || textual.test(media) || /charset=/i.test(type) ? decoded(type, bytes) : null
  const guessed = text ?? (media === '' ? sniffed(bytes) : null)
  if (guessed !== null) {
    const whole = redact.text(guessed)
    const cut = cutText(whole, limit)
    return { body: cut, truncated: cut.length < whole.length }
  }
  // A credential in it is as long in Latin-1 as it is in bytes.
  const kept = Buffer.from(redact.text(bytes.toString('latin1')), 'latin1')
  const room = Math.floor(limit / 4) * 3
  return {
    body: kept.subarray(0, room).toString('base64'),
    encoding: 'base64' as const,
    truncated: kept.length > room,
  }
}

/** undefined where it is no JSON after all, or nests too deep to be carried on as a value. */
export function jsonOf(bytes: Buffer, redact: Redactor): unknown {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''))
    return redact.json(value)
  } catch {
    return undefined
  }
}

function decoded(type: string, bytes: Buffer): string {
  const [, charset = 'utf-8'] = /charset="?([^";\s]+)/i.exec(type) ?? []
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

function sniffed(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** At most so many bytes of UTF-8, and no half letter at the end. */
function cutText(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes)).replace(/\ufffd+$/, '')
}
