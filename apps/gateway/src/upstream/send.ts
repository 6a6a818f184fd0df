import { type DialectName, providerAddress, providerAuthorization } from '@svc/models'
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

/** The answer as it begins; a redirect is one. */
export async function send(sent: Sent): Promise<Dispatcher.ResponseData> {
  const { provider, path, search, body, dispatcher, signal } = sent
  return request(`${providerAddress(provider)}${path}${search}`, {
    method: 'POST',
    headers: headersFor(sent),
    body,
    dispatcher,
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

function headersFor({ provider, secret, headers }: Sent): Record<string, string> {
  const passed = passedHeaders.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return {
    accept: 'application/json, text/event-stream',
    'accept-encoding': 'identity',
    ...providerAuthorization(provider, secret),
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
