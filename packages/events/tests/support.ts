import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { deliverEvents, type EventWorkerContext, publishEvents, sweepEvents } from '@svc/events/worker'
import { guardedAgent } from '@svc/outbound'
import { platformEvents } from '@svc/db'
import { databasesOf, type TestProject, type World } from '@svc/services/testing'
import { afterAll } from 'vitest'
import { createSubscription, listDeliveries } from '../src/index.ts'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: {
    readonly id: string
    readonly type: string
    readonly sequence: number
    readonly data: object
  }
}

export type Reply = (received: Received, index: number) => number | Promise<number>

/** A receiver of deliveries on loopback, which answers as `reply` says. */
export async function startReceiver(reply: Reply = () => 200, headers: Record<string, string> = {}) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const one = { headers: request.headers, body, event: JSON.parse(body) }
      const index = received.push(one) - 1
      void Promise.resolve(reply(one, index)).then((status) => {
        if (status === 0) return response.destroy()
        return response.writeHead(status, headers).end(`answer ${index}`)
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  afterAll(close)
  const { port } = Object(server.address())
  return { url: `http://127.0.0.1:${port}/hook`, received, close }
}

/** A worker of events in this process, which does what the test says and nothing by itself. */
export async function eventWorker(
  world: World,
  settings: Partial<EventWorkerContext['event_settings']> = {},
) {
  const { channel: db } = await databasesOf(world)
  const wire = guardedAgent(
    { open: ['127.0.0.0/8'] },
    { connect_ms: 5_000, headers_ms: 5_000, body_ms: 5_000 },
  )
  afterAll(() => wire.destroy())
  const ctx: EventWorkerContext = {
    ...world.worker({ db }),
    enqueue: async () => undefined,
    wire,
    people: { notify: async () => undefined, notifyDisabled: async () => undefined },
    event_settings: { retry_seconds: [5, 60], disable_after: 2, keep_days: 30, ...settings },
  }
  const publish = (account_id: string) => publishEvents(ctx, { account_id })
  const sweep = async () => {
    const due: string[] = []
    await sweepEvents(ctx, (subscription_id) => due.push(subscription_id))
    return due
  }
  return { ctx, publish, sweep }
}

const trigger = { type: null, fire_id: null, session_id: null, reason: null }

/** Events as a change would leave them, without the change. */
export async function happen(
  world: World,
  { account_id, project_id }: TestProject,
  ...slugs: readonly string[]
): Promise<string[]> {
  const ids: string[] = []
  for (const slug of slugs)
    ids.push(
      await platformEvents.record(world.db, {
        ...{ account_id, project_id, type: 'trigger.fired', data: { ...trigger, slug } },
      }),
    )
  return ids
}

export async function subscribe(
  worker: Awaited<ReturnType<typeof eventWorker>>,
  project: TestProject,
  url: string,
  more: { ordering?: 'none' | 'strict' } = {},
) {
  const { project_id } = project
  await worker.publish(project.account_id)
  const made = await createSubscription(project.ctx, { project_id, url, types: ['trigger.*'], ...more })
  const { subscription_id, secret } = made
  const key = { project_id, subscription_id }
  const run = async () => {
    await worker.publish(project.account_id)
    return deliverEvents(worker.ctx, { subscription_id })
  }
  const page = async () => (await listDeliveries(project.ctx, { ...key, limit: 100 })).deliveries
  return { key, secret, run, page, subscription_id }
}
