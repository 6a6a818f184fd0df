import { createHmac } from 'node:crypto'
import type { WireRequest } from '../shapes.ts'
import {
  type AuthType,
  field,
  keyOf,
  optional,
  required,
  unusable,
  withHeaders,
  wordOf,
} from './auth-type.ts'

/** A signature in a header over a text that the manifest lays out, with the time beside it. */
export const hmac: AuthType = {
  fields: () => [...required('secret'), ...optional('key_id')],
  prepare: (request, signing) => {
    const { auth, credential, now } = signing
    const algorithm = wordOf(auth, 'algorithm', ['sha256', 'sha1', 'sha512'])
    const timestamp = String(Math.floor(now.getTime() / 1000))
    const payload = payloadOf(
      keyOf(auth, 'payload', '{timestamp}.{method}.{path}.{body}'),
      request,
      timestamp,
    )
    const digest = createHmac(algorithm, field(signing, 'secret')).update(payload).digest()
    const format = keyOf(auth, 'format', '{hex}')
    if (!/\{(?:hex|base64)\}/.test(format)) throw unusable('format', 'must hold {hex} or {base64}')
    const signature = format
      .replaceAll('{hex}', digest.toString('hex'))
      .replaceAll('{base64}', digest.toString('base64'))
    const keyHeader = keyOf(auth, 'key_id_header', null)
    return withHeaders(request, {
      [keyOf(auth, 'header', 'X-Signature')]: signature,
      [keyOf(auth, 'timestamp_header', 'X-Timestamp')]: timestamp,
      ...(keyHeader !== null && credential['key_id'] ? { [keyHeader]: credential['key_id'] } : {}),
    })
  },
}

/** The signed text as bytes, since a body is none. */
function payloadOf(layout: string, { method, url, body }: WireRequest, timestamp: string): Buffer {
  const parts: Readonly<Record<string, string | Uint8Array>> = {
    timestamp,
    method,
    path: url.pathname + url.search,
    body: body ?? '',
  }
  return Buffer.concat(
    layout.split(/(\{[a-z]+\})/).map((piece) => {
      const part = piece.startsWith('{') ? parts[piece.slice(1, -1)] : undefined
      return Buffer.from(part ?? piece)
    }),
  )
}
