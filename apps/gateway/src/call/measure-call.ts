import type { Meter, SpanEnd } from '@svc/boot'
import type { Usage } from '@svc/models'
import { genAi } from '../gen-ai.ts'

type Ended = 'done' | 'refused' | 'failed' | 'left'

/** Measures one call to its last byte. The model is one that is configured. */
export interface CallMeasure {
  /** Its budgets hold so much more for it; a negative number lets go. */
  held(micros: number): void
  /** A provider is asked. */
  asked(): void
  firstByte(): void
  end(outcome: Ended, usage?: Usage): void
  charged(cost: { readonly cost_micros: number; readonly overrun_micros: number }): void
}

/**
 * @param began_at when the call came, by the clock of `performance`
 * @param trace writes the span of the call, at its end: only then it is known whose call it was
 */
export function measureCall(
  metrics: Meter,
  model: string,
  began_at: number,
  trace: (end: SpanEnd) => void,
): CallMeasure {
  const seconds = () => (performance.now() - began_at) / 1000
  let asked = false
  let first = true
  let ended = false
  return {
    held: (micros) => metrics.add('svc_model_held_micros', {}, micros),
    asked() {
      if (!asked) metrics.observe('svc_model_added_seconds', {}, seconds())
      asked = true
    },
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
      trace({ failed: outcome === 'failed', attributes: tokens ?? {} })
      metrics.observe('svc_model_request_duration_seconds', { model, outcome }, seconds())
      if (usage === undefined) return
      metrics.count('svc_model_tokens_total', { model, kind: 'input' }, usage.input_tokens)
      metrics.count('svc_model_tokens_total', { model, kind: 'output' }, usage.output_tokens)
    },
    charged({ cost_micros, overrun_micros }) {
      metrics.count('svc_model_cost_micros_total', { model }, cost_micros)
      metrics.count('svc_model_overrun_micros_total', { model }, overrun_micros)
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
