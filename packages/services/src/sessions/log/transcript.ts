import type { Context } from '@svc/context'
import type { SessionEventRow } from '@svc/db'
import { z } from 'zod'
import { type LogContext, readLog } from '../../archive/read-log.ts'
import type { SessionInput } from '../find-session.ts'
import { requireReader } from '../session-access.ts'
import { transcriptMarkdown } from './transcript-markdown.ts'

export interface TranscriptTool {
  tool: string
  status: string
  title: string | null
  input: unknown
  output: string | null
}

export interface TranscriptMessage {
  message_id: string
  role: 'user' | 'assistant'
  at: string
  text: string
  tools: TranscriptTool[]
  error: string | null
}

const text = z.string().catch('')
const maybe = z.string().nullable().catch(null)
const Prompt = z.object({ prompt_id: text, text, state: maybe })
const Message = z.object({
  message_id: text,
  role: z.enum(['user', 'assistant']).catch('assistant'),
  text,
  error: maybe,
})
const Tool = z.object({
  message_id: text,
  call_id: text,
  tool: text,
  status: text,
  title: maybe,
  input: z.unknown().optional(),
  output: maybe,
})

type ReaderContext = LogContext & Pick<Context, 'principal'>

export async function getSessionTranscript(ctx: ReaderContext, input: SessionInput) {
  const { session } = await requireReader(ctx, input)
  return { session_id: session.session_id, messages: await readConversation(ctx, session.session_id) }
}

/** The same for people to read. */
export async function getSessionTranscriptText(ctx: ReaderContext, input: SessionInput): Promise<string> {
  const { session } = await requireReader(ctx, input)
  const messages = await readConversation(ctx, session.session_id)
  return transcriptMarkdown(session.name ?? `Session ${session.session_id}`, messages)
}

/** The conversation of a session, as far as its log is kept. */
export async function readConversation(ctx: LogContext, session_id: string): Promise<TranscriptMessage[]> {
  return conversation(readLog(ctx, { session_id, types: ['prompt', 'message', 'tool'] }))
}

type Said = Pick<SessionEventRow, 'type' | 'at' | 'payload'>

/** Folds the log into messages: the last report of a message or a tool call is the one that counts. */
export async function conversation(rows: Iterable<Said> | AsyncIterable<Said>): Promise<TranscriptMessage[]> {
  const messages = new Map<string, TranscriptMessage>()
  const calls = new Map<string, TranscriptTool>()
  const message = (message_id: string, role: 'user' | 'assistant', at: Date): TranscriptMessage => {
    const known = messages.get(message_id)
    if (known) return known
    const added = { message_id, role, at: at.toISOString(), text: '', tools: [], error: null }
    messages.set(message_id, added)
    return added
  }
  for await (const row of rows) {
    if (row.type === 'prompt') {
      const prompt = Prompt.parse(row.payload)
      if (prompt.state === 'cancelled') messages.delete(prompt.prompt_id)
      else message(prompt.prompt_id, 'user', row.at).text = prompt.text
    } else if (row.type === 'message' && row.payload['thought'] !== true) {
      const said = Message.parse(row.payload)
      // Messages of people are in the log as prompts already.
      if (said.role === 'user') continue
      const entry = message(said.message_id, said.role, row.at)
      entry.text = said.text
      entry.error = said.error
    } else if (row.type === 'tool') {
      const { message_id, call_id, ...used } = Tool.parse(row.payload)
      const call = calls.get(call_id)
      if (call) Object.assign(call, used)
      else {
        const added = { input: null, ...used }
        calls.set(call_id, added)
        message(message_id, 'assistant', row.at).tools.push(added)
      }
    }
  }
  return [...messages.values()]
}
