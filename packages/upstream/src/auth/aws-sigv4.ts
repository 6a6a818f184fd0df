import { Sha256 } from '@aws-crypto/sha256-js'
import { SignatureV4 } from '@smithy/signature-v4'
import type { WireRequest } from '../shapes.ts'
import { type AuthType, field, keyOf, optional, required, unusable } from './auth-type.ts'

/** AWS's signature, version 4, over every header, the query and the body. */
export const awsSigv4: AuthType = {
  fields: () => [...required('access_key_id', 'secret_access_key'), ...optional('session_token')],
  prepare: async (request, signing) => {
    const [region, service] = ['region', 'service'].map((key) => keyOf(signing.auth, key, null))
    if (!region) throw unusable('region', 'must name a region of AWS')
    if (!service) throw unusable('service', 'must name a service of AWS')
    const { session_token } = signing.credential
    const signer = new SignatureV4({
      region,
      service,
      credentials: {
        accessKeyId: field(signing, 'access_key_id'),
        secretAccessKey: field(signing, 'secret_access_key'),
        ...(session_token && { sessionToken: session_token }),
      },
      sha256: Sha256,
      // S3 alone signs a path as it is sent.
      uriEscapePath: service !== 's3',
    })
    const { url, method, body } = request
    const query = queryOf(url)
    const signed = await signer.sign(
      {
        method,
        protocol: url.protocol,
        hostname: url.hostname,
        path: url.pathname,
        query,
        headers: { ...request.headers, host: url.host },
        ...(body !== null && { body }),
      },
      { signingDate: signing.now },
    )
    const { host: _, ...headers } = signed.headers
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    return { ...request, url: withCanonicalQuery(url, query), headers: Object.fromEntries(lower) }
  },
}

function queryOf(url: URL): Record<string, string[]> {
  const query: Record<string, string[]> = {}
  for (const [name, value] of url.searchParams) query[name] = [...(query[name] ?? []), value]
  return query
}

/** Sent as it was signed: a space is %20 there, never a plus. */
function withCanonicalQuery(
  url: URL,
  query: Readonly<Record<string, readonly string[]>>,
): WireRequest['url'] {
  const made = new URL(url)
  const strict = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  made.search = Object.entries(query)
    .flatMap(([name, values]) => values.map((value) => `${strict(name)}=${strict(value)}`))
    .join('&')
  return made
}
