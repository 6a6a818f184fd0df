import { z } from 'zod'
import { GatewayRefusal, type Refusal } from '../door/refusal.ts'

const ProviderError = z.object({
  error: z.union([
    z.string(),
    z.looseObject({ message: z.string(), code: z.union([z.string(), z.number()]).nullish() }),
  ]),
})

const maxMessage = 2_000

/** The answers of a provider after which another may be asked. */
export function mayTryNext(status: number): boolean {
  return [402, 403, 408, 429].includes(status) || status >= 500
}

/**
 * The meaning of a provider's refusal for the caller. The provider's words are passed on where they speak of the
 * request, without the key that it was sent, and kept back where they speak of that key.
 */
export function mapFailure(
  status: number,
  body: string,
  retry_after: string | null,
  secret: string | null = null,
): Refusal {
  const error = read(secret === null || secret === '' ? body : body.replaceAll(secret, '[key]'))
  const said = error?.message.slice(0, maxMessage)
  if (status === 401 || status === 403) {
    return {
      status: 502,
      code: 'model_key_refused',
      message: 'The model provider refused the key that it was asked with; see the keys of this provider',
    }
  }
  const wait = retry_after === null ? {} : { retry_after }
  const own = error?.fields === undefined ? {} : { provider_error: error.fields }
  if (status === 429) {
    const message = said ?? 'The model provider has too many requests'
    return { status: 429, code: 'rate_limit_exceeded', message, ...wait, ...own }
  }
  if (status >= 500) {
    const kept = status === 503 || status === 529 ? status : 502
    const message = `The model provider answered ${status}`
    return { status: kept, code: 'model_unavailable', message, ...wait }
  }
  if (status >= 300 && status < 400)
    return { status: 502, code: 'model_unavailable', message: 'The model provider sent the call elsewhere' }
  return {
    status: [402, 404, 408, 413].includes(status) ? status : 400,
    code: 'model_refused',
    message: said ?? `The model provider answered ${status}`,
    ...own,
  }
}

export function unreachable(cause: unknown): GatewayRefusal {
  return new GatewayRefusal(
    {
      status: 502,
      code: 'model_unreachable',
      message: 'The model provider did not answer; try again in a moment',
    },
    { cause },
  )
}

interface SaidError {
  readonly message: string
  /** The kind and the place of the error, as the provider's dialect has them. */
  readonly fields?: Readonly<Record<string, unknown>>
}

function read(body: string): SaidError | null {
  try {
    const { error } = ProviderError.parse(JSON.parse(body))
    if (typeof error === 'string') return { message: error }
    const { type, param, code } = error
    const fields = Object.entries({ type, param, code }).filter(([, value]) => value !== undefined)
    return { message: error.message, fields: Object.fromEntries(fields) }
  } catch {
    return null
  }
}
