import type { SessionEvent } from '@svc/sdk'
import { text } from './payload.ts'
import type { Turn } from './session-log.ts'
import { type ToolCall, toolsAfter } from './tool-calls.ts'
import { outcomeOf } from './tool-words.ts'

/**
 * The turns after an event of a sub-agent's tool, which is part of the call that began the sub-agent: the one that has its
 * calls already, else the first that runs and has none. Null where there is no such call.
 */
export function afterSubAgent(turns: readonly Turn[], event: SessionEvent): readonly Turn[] | null {
  const subagent = text(event['subagent'])
  const isOwner = (call: ToolCall) => call.subagent === subagent
  const isFree = (call: ToolCall) =>
    call.subagent === null && call.tool.toLowerCase() === 'task' && outcomeOf(call) === 'running'
  for (const matches of [isOwner, isFree]) {
    const index = turns.findIndex(({ tools }) => tools.some(matches))
    const turn = turns[index]
    const owner = turn?.tools.find(matches)
    if (turn === undefined || owner === undefined) continue
    const call = { ...owner, subagent, inner: toolsAfter(owner.inner, event) }
    return turns.with(index, { ...turn, tools: turn.tools.map((one) => (one === owner ? call : one)) })
  }
  return null
}

/** The calls with one of them changed, of a sub-agent as well; the same where none has this id. */
export function changeCall(
  tools: readonly ToolCall[],
  call_id: string,
  change: (call: ToolCall) => ToolCall,
): readonly ToolCall[] {
  return tools.map((call) => {
    if (call.call_id === call_id) return change(call)
    if (!call.inner.some((one) => one.call_id === call_id)) return call
    return { ...call, inner: changeCall(call.inner, call_id, change) }
  })
}
