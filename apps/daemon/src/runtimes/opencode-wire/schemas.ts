import { z } from 'zod'

/** The fields that are read of the runtime's own objects; all others are ignored. */
const Time = z.object({ created: z.number(), completed: z.number().optional() })
const Failure = z
  .object({ name: z.string(), data: z.object({ message: z.string().optional() }).loose().optional() })
  .loose()

export const MessageInfo = z.object({
  id: z.string(),
  sessionID: z.string(),
  role: z.enum(['user', 'assistant']),
  time: Time,
  error: Failure.optional(),
})
export type MessageInfo = z.infer<typeof MessageInfo>

const partIds = { id: z.string(), sessionID: z.string(), messageID: z.string() }

export const TextPart = z.object({
  ...partIds,
  type: z.literal('text'),
  text: z.string(),
  synthetic: z.boolean().optional(),
  ignored: z.boolean().optional(),
})

export const ToolPart = z.object({
  ...partIds,
  type: z.literal('tool'),
  callID: z.string(),
  tool: z.string(),
  state: z.object({
    status: z.enum(['pending', 'running', 'completed', 'error']),
    input: z.unknown(),
    title: z.string().optional(),
    output: z.string().optional(),
    error: z.string().optional(),
    time: z.object({ start: z.number().optional(), end: z.number().optional() }).optional(),
    /** Of a shell: how its command ended, and while it runs what it printed so far. */
    metadata: z
      .object({
        exit: z.number().nullish().catch(undefined),
        output: z.string().optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
  }),
})
export type ToolPart = z.infer<typeof ToolPart>

export const StepFinishPart = z.object({
  ...partIds,
  type: z.literal('step-finish'),
  cost: z.number().default(0),
  tokens: z.object({
    input: z.number(),
    output: z.number(),
    reasoning: z.number().default(0),
    cache: z.object({ read: z.number(), write: z.number() }).default({ read: 0, write: 0 }),
  }),
})

const OtherPart = z
  .object({ ...partIds, type: z.string() })
  .transform((part) => ({ ...part, type: 'other' as const }))

export const Part = z.union([TextPart, ToolPart, StepFinishPart, OtherPart])
export type Part = z.infer<typeof Part>

export const StoredMessages = z.array(z.object({ info: MessageInfo, parts: z.array(Part) }))
export type StoredMessage = z.infer<typeof StoredMessages>[number]

const inSession = { sessionID: z.string() }
const event = <T extends string, P extends z.ZodRawShape>(type: T, properties: P) =>
  z.object({ id: z.string().optional(), type: z.literal(type), properties: z.object(properties) })

/** The events that mean something outside the runtime; more than half of the stream is not among them. */
export const RawEvent = z.discriminatedUnion('type', [
  event('server.connected', {}),
  event('session.status', {
    ...inSession,
    status: z.object({ type: z.enum(['idle', 'busy', 'retry']) }),
  }),
  event('session.idle', inSession),
  event('session.deleted', { info: z.object({ id: z.string() }) }),
  event('session.error', { sessionID: z.string().optional(), error: Failure.optional() }),
  event('message.updated', { info: MessageInfo }),
  event('message.part.updated', { part: Part }),
  event('message.part.delta', {
    ...inSession,
    messageID: z.string(),
    partID: z.string(),
    field: z.string(),
    delta: z.string(),
  }),
  event('file.edited', { file: z.string() }),
  event('todo.updated', { ...inSession, todos: z.array(z.unknown()) }),
  event('permission.asked', {
    ...inSession,
    id: z.string(),
    permission: z.string(),
    patterns: z.array(z.string()),
  }),
  event('permission.replied', { ...inSession, requestID: z.string(), reply: z.string() }),
  event('question.asked', { ...inSession, id: z.string(), questions: z.array(z.unknown()) }),
  event('question.replied', { ...inSession, requestID: z.string(), answers: z.array(z.array(z.string())) }),
  event('question.rejected', { ...inSession, requestID: z.string() }),
])
export type RawEvent = z.infer<typeof RawEvent>

/** An object that a server of this wire sends, with at least the fields that are read of it. */
type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Sent<T[Key]> }
    : T

export type SentMessage = Sent<z.input<typeof MessageInfo>>
export type SentText = Sent<z.input<typeof TextPart>>
export type SentTool = Sent<z.input<typeof ToolPart>>
export type SentUsage = Sent<z.input<typeof StepFinishPart>>
export type SentPart = SentText | SentTool | SentUsage
export interface SentRecord {
  readonly info: SentMessage
  readonly parts: readonly SentPart[]
}

/** The properties of each event by its type. */
export type SentEvents = {
  readonly [E in z.input<typeof RawEvent> as E['type']]: E['type'] extends 'message.part.updated'
    ? { readonly part: SentPart }
    : Sent<E['properties']>
}
