import type { Meter, Span } from '@svc/boot'
import { genAi } from './gen-ai.ts'
import { GatewayRefusal } from './refusal.ts'
import { usageReader } from './usage.ts'

type Outcome = 'done' | 'refused' | 'failed' | 'left'

/** Measures one request to a model, to the last byte of its answer. The model is one that the operator configured. */
export function measureModel(metrics: Meter, model: string, span?: Span) {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  let ended = false
  const end = (outcome: Outcome, asked = model, attributes = {}) => {
    if (ended) return
    ended = true
    span?.end({ failed: outcome === 'failed', attributes })
    metrics.observe('svc_model_request_duration_seconds', { model: asked, outcome }, seconds())
  }
  return {
    async answered(ask: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
      try {
        const response = await ask()
        if (response.body === null) end('done')
        return response.body === null ? response : new Response(watched(response.body), response)
      } catch (error) {
        end(signal.aborted ? 'left' : refusedAs(error), isUnknownModel(error) ? 'other' : model)
        throw error
      }
    },
  }

  function watched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const usage = usageReader()
    let first = true
    const reader = body.getReader()
    return new ReadableStream({
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            const { input, output } = usage.read()
            metrics.count('svc_model_tokens_total', { model, kind: 'input' }, input)
            metrics.count('svc_model_tokens_total', { model, kind: 'output' }, output)
            end('done', model, { [genAi.inputTokens]: input, [genAi.outputTokens]: output })
            return controller.close()
          }
          if (first) metrics.observe('svc_model_first_token_seconds', { model }, seconds())
          first = false
          usage.add(value)
          controller.enqueue(value)
        } catch (error) {
          end('failed')
          controller.error(error)
        }
      },
      async cancel(reason) {
        end('left')
        await reader.cancel(reason)
      },
    })
  }
}

function isUnknownModel(error: unknown): boolean {
  return error instanceof GatewayRefusal && error.refusal.code === 'model_not_found'
}

/** The span of a request to a model: who asked, and which model, never what. */
export function modelSpan(
  model: string,
  { project_id, session_id }: { readonly project_id: string; readonly session_id: string | null },
  parent: string | undefined,
) {
  return {
    name: `chat ${model}`,
    kind: 'client' as const,
    parent,
    attributes: {
      [genAi.operation]: 'chat',
      [genAi.model]: model,
      [genAi.conversation]: session_id,
      'svc.project_id': project_id,
      'svc.session_id': session_id,
    },
  }
}

/** A refusal is about the request; all else is the provider's, or a defect. */
function refusedAs(error: unknown): Outcome {
  return error instanceof GatewayRefusal && error.refusal.status < 500 && error.refusal.status !== 429
    ? 'refused'
    : 'failed'
}
