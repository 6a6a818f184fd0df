import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import type { Journal } from '../events/journal.ts'
import { daemonLimits } from '../limits.ts'
import type { OpenRuntime } from '../prompts/runner.ts'
import { RuntimeRefusal } from '../runtimes/runtime.ts'
import type { Session } from '../session/session.ts'
import { requireDriver, type SvcEnv } from '../serving/access.ts'
import { refuse } from '../serving/answers.ts'
import { readBody, readQuery } from '../serving/body.ts'
import { eventStream } from './event-stream.ts'
import { listFolder, readWorkspaceFile } from './files.ts'

export interface RuntimeRoutesParts {
  readonly session_id: string
  readonly workspace: string
  readonly journal: Journal
  readonly closing: AbortSignal
  readonly session: Session
}

const Text = z
  .string()
  .refine((text) => text.trim() !== '', 'must not be blank')
  .refine((text) => Buffer.byteLength(text) <= daemonLimits.promptBytes, 'is too long')
  .refine((text) => !text.includes('\0'), 'must not contain NUL')

const PromptBody = z.object({
  text: Text,
  agent: z.string().min(1).max(128).optional(),
  model: z.string().min(1).max(255).optional(),
  prompt_id: z.uuid().optional(),
})

const id = z.string().min(1).max(255)
const acts = z.union([
  z.object({
    kind: z.literal('permission'),
    id,
    reply: z.enum(['once', 'always', 'reject']),
    message: z.string().max(10_000).optional(),
  }),
  z.object({ kind: z.literal('permission'), id, option_id: z.string().min(1).max(255) }),
  z.object({ kind: z.literal('question'), id, answers: z.array(z.array(z.string())) }),
  z.object({ kind: z.literal('question'), id, reject: z.literal(true) }),
  z.object({ kind: z.literal('stop') }),
  z.object({ kind: z.literal('revert'), message_id: id }),
])
type Act = z.infer<typeof acts>
const ActBody = z
  .unknown()
  .refine(
    (body) => acts.safeParse(body).success,
    'must be { kind: "permission", id, reply | option_id }, { kind: "question", id, answers | reject }, { kind: "stop" } or { kind: "revert", message_id }',
  )
  .pipe(acts)

const MessagesQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.string().max(1024).optional(),
  after: z.string().max(255).optional(),
})
const PathQuery = z.object({ path: z.string().max(4096).default('') })
const EventsQuery = z.object({ after: z.string().max(100).optional() })

const ConfigBody = z.object({
  config: z.record(z.string().max(255), z.union([z.string().max(4096), z.boolean()])),
})

const transcriptPage = 200

export function runtimeRoutes(parts: RuntimeRoutesParts): Hono<SvcEnv> {
  const { session_id, workspace, journal, closing, session } = parts
  const open = (): OpenRuntime =>
    session.open() ?? refuse(503, 'The agent runtime is starting; try again in a moment', 'runtime_starting')

  async function act(body: Act): Promise<void> {
    if (body.kind === 'stop') return session.stop()
    const { client, session_id: runtime_session } = open()
    switch (body.kind) {
      case 'permission':
        if ('option_id' in body) return client.answerPermission(body.id, { option_id: body.option_id })
        return client.answerPermission(body.id, body.reply, body.message)
      case 'question':
        return client.answerQuestion(body.id, 'answers' in body ? body.answers : null)
      case 'revert': {
        const busy = (await client.busySessions()).has(runtime_session)
        if (busy) refuse(409, 'The agent is working; stop it first', 'session_busy')
        return client.revert(runtime_session, body.message_id)
      }
    }
  }

  /** The messages after a given one, read from the newest page backwards until that one is met. */
  async function messagesAfter(after: string, limit: number) {
    const { client, session_id: runtime_session } = open()
    const found = []
    let before: string | undefined
    for (;;) {
      const page = await client.messages(runtime_session, { limit: transcriptPage, before })
      const fresh = page.messages.filter((message) => message.message_id > after)
      found.unshift(...fresh)
      if (fresh.length < page.messages.length || page.next_before === null) break
      before = page.next_before
    }
    return { messages: found.slice(0, limit), next_before: null }
  }

  const routes = new Hono<SvcEnv>()
  routes.get('/state', (c) =>
    c.json({ ...session.state(), epoch: journal.epoch, head_seq: journal.head_seq }),
  )

  routes.get('/messages', async (c) => {
    const { limit, before, after } = readQuery(c, MessagesQuery)
    if (after !== undefined) return c.json(await messagesAfter(after, limit))
    const { client, session_id: runtime_session } = open()
    return c.json(await client.messages(runtime_session, { limit, before }))
  })

  routes.get('/transcript', async (c) => {
    const { messages } = await messagesAfter('', Number.POSITIVE_INFINITY)
    return c.json({ session_id, messages })
  })

  routes.get('/events', (c) => {
    const cursor = c.req.header('last-event-id') ?? readQuery(c, EventsQuery).after
    return eventStream(journal, cursor, daemonLimits.sseHeartbeatMs, closing)
  })

  routes.post('/prompt', requireDriver, async (c) => {
    const { prompt_id = randomUUID(), ...prompt } = await readBody(c, PromptBody)
    session.accept({ prompt_id, ...prompt })
    return c.json({ prompt_id }, 202)
  })

  routes.post('/act', requireDriver, async (c) => {
    await act(await readBody(c, ActBody))
    return c.json({ ok: true })
  })

  routes.post('/config', requireDriver, async (c) => {
    const { config } = await readBody(c, ConfigBody)
    const { client, session_id: runtime_session } = open()
    if (client.configure === undefined)
      throw new RuntimeRefusal(
        'This runtime has no options that can be set while it runs',
        409,
        { feature: 'config' },
        'RUNTIME_UNSUPPORTED',
      )
    return c.json({ config_options: await client.configure(runtime_session, config) })
  })

  routes.get('/files', async (c) => c.json(await listFolder(workspace, readQuery(c, PathQuery).path)))
  routes.get('/files/content', async (c) => readWorkspaceFile(workspace, readQuery(c, PathQuery).path))
  return routes
}

/** The runtime's own refusals keep their meaning; everything else of it is a bad gateway. */
export function runtimeFailure(error: RuntimeRefusal, c: Context): Response {
  const status = error.status === 404 || error.status === 409 || error.status === 400 ? error.status : 502
  const { message, code, details } = error
  return c.json({ error: true, message, status, code, ...details }, status)
}
