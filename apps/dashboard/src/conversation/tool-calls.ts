import type { SessionEvent } from '@svc/sdk'
import { maybe, maybeNumber, text } from './payload.ts'
import { diffsOf, type ToolDiff } from './tool-diffs.ts'

export interface ToolCall {
  readonly call_id: string
  readonly tool: string
  /** The kind of the protocol, such as `edit`; null where the runtime gives none. */
  readonly kind: string | null
  readonly status: string
  readonly title: string | null
  readonly input: unknown
  readonly output: string | null
  /** Changes of files, where the runtime gives them apart from the input. */
  readonly diffs: readonly ToolDiff[]
  readonly exit_code: number | null
  /** The sub-agent that the call began, once it did something, and its calls. */
  readonly subagent: string | null
  readonly inner: readonly ToolCall[]
  readonly began_at: string
  readonly duration_ms: number | null
}

/** The calls of a message after one more event of a tool. */
export function toolsAfter(tools: readonly ToolCall[], event: SessionEvent): readonly ToolCall[] {
  const call_id = text(event['call_id'])
  const known = tools.find((call) => call.call_id === call_id)
  const began_at = known?.began_at ?? event.at
  const status = text(event['status'])
  const ended = status === 'completed' || status === 'error'
  const call: ToolCall = {
    call_id,
    tool: text(event['tool']),
    kind: maybe(event['kind']),
    status,
    title: maybe(event['title']) ?? known?.title ?? null,
    input: event['input'] ?? known?.input ?? null,
    output: maybe(event['output']) ?? maybe(event['error']) ?? known?.output ?? null,
    diffs: event['diffs'] === undefined ? (known?.diffs ?? []) : diffsOf(event['diffs']),
    exit_code: maybeNumber(event['exit_code']),
    subagent: known?.subagent ?? null,
    inner: known?.inner ?? [],
    began_at,
    duration_ms:
      maybeNumber(event['duration_ms']) ?? (ended ? Date.parse(event.at) - Date.parse(began_at) : null),
  }
  return known === undefined ? [...tools, call] : tools.map((one) => (one === known ? call : one))
}
