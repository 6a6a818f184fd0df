import { createHash } from 'node:crypto'
import type { sessionPrompts } from '@svc/db'

/** A prompt that waited longer follows its request, which is over, in a trace of its own. */
const partMs = 60_000

export interface TurnTrace {
  readonly parent: string | undefined
  readonly link: string | undefined
  readonly ids: { readonly trace_id: string; readonly span_id: string }
  /** For what is a part of the turn. */
  readonly traceparent: string
}

/**
 * The place of a turn among traces. Its ids come from its prompt, so that the gateway, whose requests bring nothing but a
 * key, hangs them on a turn whose span is told of only at its end, by another process.
 */
export function turnTrace({
  prompt_id,
  traceparent,
  created_at,
  began_at,
}: sessionPrompts.RunningTurn): TurnTrace {
  const span_id = createHash('sha256').update(prompt_id).digest('hex').slice(0, 16)
  const is_part = traceparent !== null && began_at.getTime() - created_at.getTime() <= partMs
  const [, parent_trace, , flags] = is_part ? traceparent.split('-') : []
  const trace_id = parent_trace ?? prompt_id.replaceAll('-', '')
  const origin = traceparent ?? undefined
  return {
    parent: is_part ? origin : undefined,
    link: is_part ? undefined : origin,
    ids: { trace_id, span_id },
    traceparent: `00-${trace_id}-${span_id}-${flags ?? '01'}`,
  }
}
