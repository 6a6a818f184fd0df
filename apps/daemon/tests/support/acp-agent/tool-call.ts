import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  PermissionOption,
  ToolCallContent,
  ToolCallLocation,
  ToolCallUpdate,
  ToolKind,
} from '@agentclientprotocol/sdk'
import { type Session, update } from './session.ts'

/** Work that the agent shows as a tool call. */
export interface ToolWork {
  readonly name: string
  readonly title: string
  readonly kind: ToolKind
  readonly input: unknown
  readonly content?: ToolCallContent[]
  readonly locations?: ToolCallLocation[]
  readonly asks: boolean
  run(call: RunningCall): Promise<string>
}
export interface RunningCall {
  readonly id: string
  readonly signal: AbortSignal
  show(content: ToolCallContent[]): Promise<void>
}

export const permissionOptions: PermissionOption[] = [
  { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
]

/** Shows a call, asks for leave where it has to, runs it, and answers with its output for the model. */
export async function runToolCall(session: Session, work: ToolWork, signal: AbortSignal): Promise<string> {
  const id = randomUUID()
  const { title, kind, input, content = [], locations = [] } = work
  const common = { title, name: work.name, kind, content, locations, rawInput: input }
  if (session.settings.fault.crash === 'untold_tool') {
    // Work may be done before a word of it is heard.
    await work.run({ id, signal, show: async () => undefined })
    session.crash('untold_tool')
  }
  await update(session, { sessionUpdate: 'tool_call', toolCallId: id, status: 'pending', ...common })
  const change = (fields: object): Promise<void> =>
    update(session, { sessionUpdate: 'tool_call_update', toolCallId: id, ...fields })
  const finish = async (status: 'completed' | 'failed', output: string): Promise<string> => {
    const text: ToolCallContent = { type: 'content', content: { type: 'text', text: output } }
    await change({ status, rawOutput: { output }, content: [...shown, text] })
    return output
  }
  let shown = content
  if (work.asks && needsLeave(session, kind)) {
    const leave = await askLeave(session, { toolCallId: id, status: 'pending', ...common })
    if (leave !== 'given') return finish('failed', `The permission was ${leave}`)
  }
  if (signal.aborted) return finish('failed', 'cancelled')
  await change({ status: 'in_progress' })
  const show = (more: ToolCallContent[]): Promise<void> => {
    shown = [...content, ...more]
    return change({ content: shown })
  }
  try {
    // Late enough that the work has begun.
    if (session.settings.fault.crash === 'in_tool') setTimeout(() => session.crash('in_tool'), 100)
    const output = await work.run({ id, signal, show })
    if (session.settings.fault.crash === 'in_tool') await sleep(150)
    return await finish(signal.aborted ? 'failed' : 'completed', output)
  } catch (error) {
    return finish('failed', error instanceof Error ? error.message : String(error))
  }
}

function needsLeave({ settings, conversation, allowed }: Session, kind: ToolKind): boolean {
  if (settings.permissions === 'never' || allowed.has(kind)) return false
  return !(settings.modes && conversation.mode === 'free')
}

async function askLeave(
  session: Session,
  toolCall: ToolCallUpdate & { kind: ToolKind },
): Promise<'given' | 'rejected' | 'cancelled'> {
  const asked = session.client.request('session/request_permission', {
    sessionId: session.id,
    toolCall,
    options: permissionOptions,
  })
  if (session.settings.fault.crash === 'in_permission') {
    // The client has the request by then, and whether it has answered is its affair.
    await sleep(100)
    session.crash('in_permission')
  }
  const { outcome } = await asked
  if (outcome.outcome === 'cancelled') return 'cancelled'
  const chosen = permissionOptions.find(({ optionId }) => optionId === outcome.optionId)
  if (chosen?.kind === 'allow_always') session.allowed.add(toolCall.kind)
  return chosen?.kind.startsWith('allow') ? 'given' : 'rejected'
}
