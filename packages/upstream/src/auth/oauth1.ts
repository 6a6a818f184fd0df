import { createHmac } from 'node:crypto'
import OAuth from 'oauth-1.0a'
import { type AuthType, field, optional, required, withHeaders, wordOf } from './auth-type.ts'

/** RFC 5849 in the header: over method, address, query and the fields of a form. */
export const oauth1: AuthType = {
  fields: () => [...required('consumer_key', 'consumer_secret'), ...optional('token', 'token_secret')],
  prepare: (request, signing) => {
    const method = wordOf(signing.auth, 'signature_method', ['HMAC-SHA1', 'HMAC-SHA256'])
    const hash = method === 'HMAC-SHA1' ? 'sha1' : 'sha256'
    const oauth = new OAuth({
      consumer: { key: field(signing, 'consumer_key'), secret: field(signing, 'consumer_secret') },
      signature_method: method,
      hash_function: (text, key) => createHmac(hash, key).update(text).digest('base64'),
    })
    oauth.getNonce = () => signing.nonce
    oauth.getTimeStamp = () => Math.floor(signing.now.getTime() / 1000)
    const { token, token_secret = '' } = signing.credential
    const { url, body, headers } = request
    const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
    // The library reads names of the query without decoding them, so they are all given as data.
    const data = listed(url.searchParams, isForm && body !== null ? Buffer.from(body).toString() : '')
    const signed = oauth.authorize(
      { url: url.origin + url.pathname, method: request.method, data },
      token === undefined ? undefined : { key: token, secret: token_secret },
    )
    return withHeaders(request, { authorization: oauth.toHeader(signed).Authorization })
  },
}

function listed(query: URLSearchParams, form: string): Record<string, string | string[]> {
  const data = new Map<string, string[]>()
  for (const [name, value] of [...query, ...new URLSearchParams(form)])
    data.set(name, [...(data.get(name) ?? []), value])
  return Object.fromEntries(
    [...data].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  )
}
