import { z } from '@hono/zod-openapi'
import { examples } from '../kit/examples.ts'

export const sessionEventTypes = [
  'status',
  'prompt',
  'message',
  'message.delta',
  'tool',
  'tool.delta',
  'file',
  'todo',
  'permission',
  'question',
  'turn',
  'usage',
  'error',
  'checkpoint',
  'notice',
  'budget',
  'connector_call',
  'review',
  'runtime',
] as const
export type SessionEventType = (typeof sessionEventTypes)[number]

/**
 * One entry of a session's event log. Payload keys by type:
 * status { status, stop_reason, failure } · prompt { prompt_id, text, source } with the source that the prompt queue names, or
 * { prompt_id, state: cancelled } ·
 * message { message_id, role, text, error } · message.delta { message_id, delta } ·
 * tool { message_id, call_id, tool, status: pending|running|completed|error, title, input, output, exit_code?, duration_ms? } ·
 * and of an agent by ACP beside them kind, locations, diffs, terminal_id ·
 * tool.delta { message_id, call_id, output }, the end of what it has printed so far; as message.delta it is passed on and not kept ·
 * file { path } · todo { todos } · permission { request_id, permission, patterns, state, message, expires_at } ·
 * question { request_id, questions, state: asked|replied|rejected|expired|timed_out, message, expires_at } ·
 * turn { prompt_id, state: begin|end, status, error, stop_reason? } · usage { input_tokens, output_tokens, cost_usd, cost_micros, context_used, context_size }, each by itself ·
 * error { message } · checkpoint { number, state: saved|restored|failed, reason, message } ·
 * notice { source: request_changes, cr_id, cr_number, by, text }, for the session's owner and not for its agent ·
 * budget { budget_id, threshold, spent_micros, cap_micros }, when a call of the session crossed a threshold ·
 * connector_call { call_id, connector, action, risk, status, reason, ms }
 * review { review_id, status, version } of an item that the session submitted ·
 * runtime { state?: installing|silent|notice, message?, since?, bytes_done?, bytes?, commands?, config_options?, title?,
 * unknown_updates?, garbage_lines? } of its agent itself
 */
export const SessionEvent = z
  .object({ seq: z.int(), type: z.enum(sessionEventTypes), at: z.iso.datetime({ offset: true }) })
  .loose()
  .openapi('SessionEvent', { example: examples.sessionEvent })
