import { type CallBounds, type CallRequest, countedInputBound, inputBound, outputLimit } from '@svc/models'
import type { GatewayConfig } from '../config/config.ts'
import type { Candidate } from './candidates.ts'

/** An input without a bound, for a model whose window is not known: the largest windows hold as many tokens. */
const largestWindow = 1_000_000

/** The card of a candidate and the most that a call can use of it; null where it has no price. */
export function callBounds(
  { request, config }: { readonly request: CallRequest; readonly config: GatewayConfig },
  { name, provider }: Candidate,
  known: { readonly now: Date; readonly counted: number | null },
): CallBounds | null {
  const priced = config.priceOf(name, provider, known.now)
  if (priced === null) return null
  const model = provider.models?.find(({ id }) => id === name.id)
  const window = model?.context_window ?? null
  const { size, n, caches_1h } = request
  return {
    card: priced.card,
    input_bound:
      known.counted === null
        ? (inputBound(size, window) ?? size.text_bytes + largestWindow)
        : countedInputBound(known.counted, window),
    output_limit: request.has_output
      ? outputLimit(request.output_limit, model?.max_output_tokens ?? null)
      : 0,
    n,
    caches_1h,
  }
}
