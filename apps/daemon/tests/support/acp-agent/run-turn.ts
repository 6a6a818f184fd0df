import { randomUUID } from 'node:crypto'
import { type ContentBlock, type PromptResponse, RequestError } from '@agentclientprotocol/sdk'
import type { Call } from './conversation.ts'
import { misbehave } from './faults.ts'
import { type Answer, type AnswerListener, askModel } from './model.ts'
import { textOf, userMessage } from './prompt-parts.ts'
import { type Session, say, update } from './session.ts'
import { runToolCall, type ToolWork } from './tool-call.ts'
import { toolDefinitions, toolWork } from './tools.ts'

/** `ACP_AGENT.fault.stop_reason` may be a word that the protocol does not know. */
const asStopReason = (word: string): PromptResponse['stopReason'] => word as PromptResponse['stopReason']
const contextSize = 128_000

export async function runTurn(session: Session, prompt: readonly ContentBlock[]): Promise<PromptResponse> {
  if (session.turn !== null) throw RequestError.invalidRequest(undefined, 'A prompt is running')
  const { conversation, settings } = session
  const message = userMessage(prompt, settings.images)
  const turn = new AbortController()
  session.turn = turn
  try {
    session.crash('before_answer')
    conversation.messages.push(message)
    session.save()
    const text = textOf(message)
    await misbehave(session)
    for (const [, thought] of text.matchAll(/THINK:(\S+)/g)) await think(session, thought ?? '')
    while (!turn.signal.aborted && (await step(session, turn.signal)));
    if (turn.signal.aborted) return { stopReason: 'cancelled' }
    const asked = settings.fault.stop_reason ?? /STOP:([a-z_]+)/.exec(text)?.[1] ?? 'end_turn'
    return { stopReason: asStopReason(asked) }
  } finally {
    session.turn = null
    session.save()
  }
}

const think = (session: Session, thought: string, message_id?: string): Promise<void> =>
  say(session, thought, message_id, 'agent_thought_chunk')

/** One answer of the model and the tools that it calls; true when the model is to be asked again. */
async function step(session: Session, signal: AbortSignal): Promise<boolean> {
  const { conversation, settings } = session
  if (settings.thought_level && conversation.thought_level !== 'off') {
    await think(session, `Thinking at ${conversation.thought_level}.`)
  }
  const heard = createListener(session)
  let answer: Answer
  try {
    const question = { model: conversation.model, messages: conversation.messages, tools: toolDefinitions }
    answer = await askModel(session.gateway(), question, heard, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    if (heard.said !== '') conversation.messages.push({ role: 'assistant', content: heard.said })
    return false
  }
  const { text, calls, tokens } = answer
  const tool_calls = calls.length > 0 ? { tool_calls: calls } : {}
  conversation.messages.push({ role: 'assistant', content: text, ...tool_calls })
  if (settings.usage)
    await update(session, { sessionUpdate: 'usage_update', used: tokens, size: contextSize })
  for (const call of calls) {
    const content = signal.aborted ? 'cancelled' : await callTool(session, call, signal)
    conversation.messages.push({ role: 'tool', tool_call_id: call.id, content })
    session.save()
  }
  return calls.length > 0
}

function createListener(session: Session): AnswerListener & { said: string; message_id: string } {
  const listener = {
    said: '',
    message_id: randomUUID(),
    begin: () => {
      listener.said = ''
      listener.message_id = randomUUID()
    },
    text: async (delta: string) => {
      listener.said += delta
      await say(session, delta, listener.message_id)
      session.crash('in_text')
    },
    thought: (delta: string) => think(session, delta, `${listener.message_id}-thought`),
  }
  return listener
}

async function callTool(session: Session, call: Call, signal: AbortSignal): Promise<string> {
  let work: ToolWork
  try {
    work = toolWork(session, call.function.name, call.function.arguments)
  } catch (error) {
    return `The arguments are not valid: ${error instanceof Error ? error.message : String(error)}`
  }
  return runToolCall(session, work, signal)
}
