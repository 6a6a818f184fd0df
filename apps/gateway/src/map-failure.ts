import { z } from 'zod'
import { GatewayRefusal, type Refusal } from './refusal.ts'

const ProviderError = z.object({
  error: z.union([
    z.string(),
    z.looseObject({ message: z.string(), code: z.union([z.string(), z.number()]).nullish() }),
  ]),
})

const maxMessage = 2_000

/**
 * The meaning of a provider's refusal for the caller. The provider's words are passed on where they speak of the
 * request, and kept back where they speak of the platform's own key.
 */
export function mapFailure(status: number, body: string, retry_after: string | null): Refusal {
  const said = words(body)
  if (status === 401 || status === 403) {
    return {
      status: 502,
      code: 'model_key_refused',
      message: 'The model provider refused the key of this platform',
    }
  }
  if (status === 429) {
    const message = said ?? 'The model provider has too many requests'
    return {
      status: 429,
      code: 'rate_limit_exceeded',
      message,
      ...(retry_after === null ? {} : { retry_after }),
    }
  }
  if (status >= 500)
    return { status: 502, code: 'model_unavailable', message: `The model provider answered ${status}` }
  return {
    status: status === 404 ? 404 : 400,
    code: 'model_refused',
    message: said ?? `The model provider answered ${status}`,
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

function words(body: string): string | null {
  try {
    const { error } = ProviderError.parse(JSON.parse(body))
    return (typeof error === 'string' ? error : error.message).slice(0, maxMessage)
  } catch {
    return null
  }
}
