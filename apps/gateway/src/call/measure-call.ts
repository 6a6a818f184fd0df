import type { Meter, Span } from '@svc/boot'
import type { Usage } from '@svc/models'
import { genAi } from '../gen-ai.ts'

type Ended = 'done' | 'refused' | 'failed' | 'left'

/** Measures one call to its last byte. The model is one that is configured. */
export interface CallMeasure {
  firstByte(): void
  end(outcome: Ended, usage?: Usage): void
}

export function measureCall(metrics: Meter, model: string, span?: Span): CallMeasure {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  let first = true
  let ended = false
  return {
    firstByte() {
      if (first) metrics.observe('svc_model_first_token_seconds', { model }, seconds())
      first = false
    },
    end(outcome, usage) {
      if (ended) return
      ended = true
      const tokens = usage && {
        [genAi.inputTokens]: usage.input_tokens,
        [genAi.outputTokens]: usage.output_tokens,
      }
      span?.end({ failed: outcome === 'failed', attributes: tokens ?? {} })
      metrics.observe('svc_model_request_duration_seconds', { model, outcome }, seconds())
      if (usage === undefined) return
      metrics.count('svc_model_tokens_total', { model, kind: 'input' }, usage.input_tokens)
      metrics.count('svc_model_tokens_total', { model, kind: 'output' }, usage.output_tokens)
    },
  }
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
