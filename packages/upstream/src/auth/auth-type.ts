import type { ConnectorAuth } from '@svc/manifest'
import { UpstreamRefusal, type WireRequest } from '../shapes.ts'
import { headerTrouble } from '../wire/headers.ts'

/** A value that a connection must have, or may have, under its name. */
export interface CredentialField {
  readonly name: string
  readonly required: boolean
  /** True where an empty text is a value: it has to be given, so that a forgotten one is no empty one. */
  readonly may_be_empty?: true
}

export interface Signing {
  readonly auth: ConnectorAuth
  readonly credential: Readonly<Record<string, string>>
  readonly now: Date
  /** A value that no other request has. */
  readonly nonce: string
}

/** One way to prove who asks. */
export interface AuthType {
  readonly fields: (auth: ConnectorAuth) => readonly CredentialField[]
  /** The same request with its proof on it. Throws `UpstreamRefusal` where a key of `auth` makes that impossible. */
  readonly prepare: (request: WireRequest, signing: Signing) => WireRequest | Promise<WireRequest>
  /** More that must hold of fields which are all there: messages by field. */
  readonly check?: (credential: Readonly<Record<string, string>>) => Readonly<Record<string, string>>
}

export const required = (...names: readonly string[]): CredentialField[] =>
  names.map((name) => ({ name, required: true }))
export const optional = (...names: readonly string[]): CredentialField[] =>
  names.map((name) => ({ name, required: false }))

/** The value of a field. Throws `UpstreamRefusal` where the connection has none. */
export function field({ credential, auth }: Signing, name: string): string {
  const value = credential[name]
  if (value === undefined || value === '')
    throw new UpstreamRefusal(
      'connector_not_connected',
      `The connection has no ${name}, which ${auth.type} needs: connect it again.`,
    )
  return value
}

/** A key of `auth` as the manifest has it, or what it is without one. */
export function keyOf<Fallback extends string | null>(
  auth: ConnectorAuth,
  key: string,
  fallback: Fallback,
): string | Fallback {
  const value = auth[key]
  if (value === undefined || value === null) return fallback
  if (typeof value === 'string' && value !== '') return value
  throw unusable(key, 'must be a text')
}

/** One of the words that a key may be. */
export function wordOf<Word extends string>(
  auth: ConnectorAuth,
  key: string,
  words: readonly [Word, ...Word[]],
): Word {
  const value = keyOf(auth, key, words[0])
  const word = words.find((each) => each === value)
  if (word === undefined) throw unusable(key, `must be ${words.join(' or ')}`)
  return word
}

export function unusable(key: string, rule: string): UpstreamRefusal {
  return new UpstreamRefusal('connector_unusable', `auth.${key} ${rule}: correct it in the manifest.`)
}

/** The request with headers that stand above all others. Their values are no part of a refusal. */
export function withHeaders(request: WireRequest, headers: Readonly<Record<string, string>>): WireRequest {
  for (const [name, value] of Object.entries(headers)) {
    const trouble = headerTrouble(name, value)
    if (trouble !== null)
      throw new UpstreamRefusal('connector_unusable', `The credential cannot be sent: ${trouble}.`)
  }
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { ...request, headers: { ...request.headers, ...Object.fromEntries(lower) } }
}

/** The request with a parameter in place of any of that name; what else the query holds stays as it was written. */
export function withQuery(request: WireRequest, name: string, value: string): WireRequest {
  const url = new URL(request.url)
  const others = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !new URLSearchParams(pair).has(name))
  url.search = [...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&')
  return { ...request, url }
}
