import type { DialectName } from '@svc/models'
import { type Dispatcher, request } from 'undici'
import type { Provider } from '../config/provider.ts'

/** One request to a provider, in the provider's own dialect. */
export interface Sent {
  readonly provider: Provider
  readonly secret: string | null
  readonly path: string
  readonly search: string
  readonly body: string
  /** The headers of the client. */
  readonly headers: Headers
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
}

const passedHeaders = ['anthropic-version', 'anthropic-beta', 'openai-beta', 'user-agent']
const anthropicVersion = '2023-06-01'

/** The answer as it begins; a redirect is one. */
export async function send(sent: Sent): Promise<Dispatcher.ResponseData> {
  const { provider, path, search, body, dispatcher, signal } = sent
  return request(`${addressOf(provider)}${path}${search}`, {
    method: 'POST',
    headers: headersFor(sent),
    body,
    dispatcher,
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** The base of a provider's routes. Anthropic's is given with its version or without. */
export function addressOf({ base_url, kind }: Pick<Provider, 'base_url' | 'kind'>): string {
  const base = base_url.replace(/\/+$/, '')
  return kind === 'anthropic' && !/\/v\d+$/.test(base) ? `${base}/v1` : base
}

export function authorizationFor(
  { kind }: Pick<Provider, 'kind'>,
  secret: string | null,
): Readonly<Record<string, string>> {
  if (kind === 'anthropic')
    return { 'anthropic-version': anthropicVersion, ...(secret === null ? {} : { 'x-api-key': secret }) }
  return secret === null ? {} : { authorization: `Bearer ${secret}` }
}

function headersFor({ provider, secret, headers }: Sent): Record<string, string> {
  const passed = passedHeaders.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return {
    accept: 'application/json, text/event-stream',
    'accept-encoding': 'identity',
    ...authorizationFor(provider, secret),
    ...Object.fromEntries(passed),
    'content-type': 'application/json',
  }
}

/** The dialects that a provider of a kind reads itself. */
const native: Readonly<Record<Provider['kind'], readonly DialectName[]>> = {
  openai: ['chat', 'responses', 'embeddings'],
  openai_compatible: ['chat', 'embeddings'],
  anthropic: ['messages'],
  demo: ['chat'],
}

export function reads({ kind }: Pick<Provider, 'kind'>, dialect: DialectName): boolean {
  return native[kind].includes(dialect)
}
