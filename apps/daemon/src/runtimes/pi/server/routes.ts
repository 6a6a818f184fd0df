import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import type { Conversation } from './conversation.ts'
import type { Conversations } from './conversations.ts'
import type { PiSettings } from './settings.ts'

const heartbeatMs = 10_000

const NewSession = z.object({ title: z.string().optional() })
const Prompt = z.object({
  parts: z.array(z.object({ type: z.string(), text: z.string().default('') })),
  agent: z.string().optional(),
  model: z.object({ providerID: z.string(), modelID: z.string() }).optional(),
})
const Revert = z.object({ messageID: z.string() })
const PermissionReply = z.object({
  reply: z.enum(['once', 'always', 'reject']),
  message: z.string().optional(),
})
const QuestionReply = z.object({ answers: z.array(z.array(z.string())) })
const Page = z.object({ limit: z.coerce.number().int().min(1).default(100), before: z.string().optional() })

class NotThere extends Error {}

/** Routes for the daemon, and for people through its proxy: the same paths and bodies for each runtime. */
export function createRoutes(settings: PiSettings, conversations: Conversations): Hono {
  const { bus, asks } = conversations
  const app = new Hono()

  app.use(async (c, next) => {
    if (c.req.header('authorization') !== settings.authorization) return c.text('Unauthorized', 401)
    await next()
  })
  app.onError((error, c) => {
    const status = error instanceof NotThere ? 404 : error instanceof z.ZodError ? 400 : 500
    const name = status === 404 ? 'NotFoundError' : status === 400 ? 'BadRequest' : 'UnknownError'
    return c.json({ name, data: { message: error.message } }, status)
  })

  function find(id: string): Conversation {
    const conversation = conversations.find(id)
    if (!conversation) throw new NotThere(`Session not found: ${id}`)
    return conversation
  }
  const shown = ({ id }: Conversation) => ({ id, directory: settings.workspace })

  app.get('/global/health', (c) => c.json({ healthy: true }))
  app.get('/agent', async (c) => {
    const known = await conversations.agents()
    return c.json(
      [...known.values()].map(({ name, description, mode, model, hidden }) => ({
        name,
        description,
        mode,
        hidden,
        ...(model === undefined ? {} : { model: split(model) }),
      })),
    )
  })

  app.get('/session', (c) => c.json(conversations.all().map(shown)))
  app.post('/session', async (c) => {
    const { title } = NewSession.parse(await c.req.json())
    return c.json(shown(await conversations.create(title)))
  })
  app.get('/session/status', (c) =>
    c.json(
      Object.fromEntries(
        conversations.all().flatMap(({ id, state }) => (state === 'idle' ? [] : [[id, { type: state }]])),
      ),
    ),
  )
  app.get('/session/:id', (c) => c.json(shown(find(c.req.param('id')))))
  app.get('/session/:id/message', (c) => {
    const { limit, before } = Page.parse(c.req.query())
    const records = find(c.req.param('id')).records()
    const earlier = before === undefined ? records : records.filter(({ info }) => info.id < before)
    const page = earlier.slice(-limit)
    const oldest = page[0]?.info.id
    if (oldest !== undefined && earlier.length > page.length) c.header('x-next-cursor', oldest)
    return c.json(page)
  })
  app.post('/session/:id/prompt_async', async (c) => {
    const conversation = find(c.req.param('id'))
    const { parts, agent, model } = Prompt.parse(await c.req.json())
    const named = agent === undefined ? null : ((await conversations.agents()).get(agent) ?? null)
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const wanted = model ? `${model.providerID}/${model.modelID}` : (named?.model ?? null)
    // Nothing may wait between this look and the start.
    if (conversation.state !== 'idle') {
      return c.json({ name: 'BusyError', data: { message: 'The session is at work' } }, 409)
    }
    void conversation.run({ text, agent: named, model: wanted })
    return c.body(null, 204)
  })
  app.post('/session/:id/abort', async (c) => {
    await find(c.req.param('id')).abort()
    return c.json(true)
  })
  app.post('/session/:id/revert', async (c) => {
    const conversation = find(c.req.param('id'))
    const { messageID } = Revert.parse(await c.req.json())
    if (!(await conversation.revert(messageID))) throw new NotThere(`Message not found: ${messageID}`)
    return c.json(shown(conversation))
  })

  app.post('/permission/:id/reply', async (c) => {
    const reply = PermissionReply.parse(await c.req.json())
    if (!asks.answerPermission(c.req.param('id'), reply))
      throw new NotThere('No pending permission has this id')
    return c.json(true)
  })
  app.post('/question/:id/reply', async (c) => {
    const { answers } = QuestionReply.parse(await c.req.json())
    if (!asks.answerQuestion(c.req.param('id'), answers))
      throw new NotThere('No pending question has this id')
    return c.json(true)
  })
  app.post('/question/:id/reject', (c) => {
    if (!asks.answerQuestion(c.req.param('id'), null)) throw new NotThere('No pending question has this id')
    return c.json(true)
  })

  app.get('/event', (c) =>
    streamSSE(c, async (stream) => {
      const send = (event: object): void => void stream.writeSSE({ data: JSON.stringify(event) })
      send({ type: 'server.connected', properties: {} })
      const leave = bus.follow(send)
      const beat = setInterval(() => send({ type: 'server.heartbeat', properties: {} }), heartbeatMs)
      await new Promise<void>((resolve) => stream.onAbort(resolve))
      clearInterval(beat)
      leave()
    }),
  )
  return app
}

function split(model: string): { providerID: string; modelID: string } {
  const slash = model.indexOf('/')
  if (slash < 1) return { providerID: model, modelID: '' }
  return { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) }
}
