import { randomUUID } from 'node:crypto'
import { createLogger } from '@svc/boot'
import { sessionConnections } from '@svc/connectors/sessions'
import { openMail } from '@svc/mail'
import { openLmtp } from '@svc/mail-channel'
import { databasesOf, makeProject, type Person, type World } from '@svc/services/testing'
import { sessionModels } from '@svc/spend'
import { createTransport } from 'nodemailer'
import { afterAll } from 'vitest'
import {
  type ChannelContext,
  connectChannel,
  linkChannelSender,
  mailRoute,
  openChannelPlatforms,
} from '../src/index.ts'
import {
  type ChannelWorkerContext,
  mailDoor,
  sendMessages,
  showProgress,
  sweepChannels,
  workDeliveries,
} from '../src/worker/index.ts'
import { startSink } from '../../mail-channel/tests/sink.ts'
import { publishFor } from './publish.ts'

export const domain = 'agents.example.net'
export const authserv = 'mx.example.net'

export interface WrittenMail {
  readonly from?: string
  readonly to?: string
  readonly subject?: string
  readonly text?: string
  readonly html?: string
  readonly id?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly attachments?: readonly {
    readonly filename: string
    readonly content: string | Buffer
    readonly contentType: string
  }[]
  /** False for one whose sender the receiving server does not vouch for. */
  readonly proven?: boolean
}

export type MailStage = Awaited<ReturnType<typeof openMailStage>>

/** A project with a channel of mail by LMTP, a mail server at its border, and a worker that does what the test says. */
export async function openMailStage(world: World, more: Partial<Parameters<typeof connectChannel>[1]> = {}) {
  const sink = await startSink()
  afterAll(() => sink.close())
  const { api, channel: db } = await databasesOf(world)
  const log = createLogger({ name: 'test', level: 'silent' })
  const way = openMail({ SVC_MAIL_URL: sink.url, SVC_MAIL_FROM: 'svc <noreply@svc.invalid>' }, log, {
    retry_ms: [],
  })
  const route = mailRoute({ SVC_CHANNEL_MAIL_DOMAIN: domain, SVC_CHANNEL_MAIL_AUTHSERV: authserv }, way)
  const { platforms, close } = openChannelPlatforms(['127.0.0.0/8'], route)
  afterAll(async () => {
    await close()
    await way?.close()
  })
  const project = await makeProject(world)
  const { project_id, account_id, owner } = project
  const asPerson = (person: Person): ChannelContext => ({
    ...world.as(person.principal, { db: api }),
    channel_platforms: platforms,
  })
  const connected = await connectChannel(asPerson(owner), {
    ...{ project_id, platform: 'email', credentials: {} },
    ...more,
  })
  const { channel_id } = connected
  const address = connected.identity?.user_id ?? ''
  const worker: ChannelWorkerContext = {
    ...world.worker({
      db,
      session_models: sessionModels(world.base),
      session_connections: sessionConnections,
    }),
    channel_platforms: platforms,
  }
  const failures: unknown[] = []
  const listen = async (by: ChannelWorkerContext, port = 0) => {
    const listener = await openLmtp({
      ...{ host: '127.0.0.1', port, domain, door: mailDoor(by, { domain, authserv }) },
      onFailure: (error) => failures.push(error),
    })
    const border = createTransport({ host: '127.0.0.1', port: listener.port, lmtp: true, ignoreTLS: true })
    return { border, close: () => listener.close() }
  }
  const { border, close: closeDoor } = await listen(worker)
  afterAll(() => closeDoor())

  /** Hands a mail over as the mail server at the border does, with its word on the sender. */
  async function deliver(written: WrittenMail, by = border): Promise<string> {
    const {
      from = 'Ada <ada@example.org>',
      to = address,
      proven = true,
      id = `${randomUUID()}@example.org`,
    } = written
    const verdict = proven ? 'dmarc=pass' : 'dmarc=fail'
    const { subject = 'The shop', text = 'Hello', html, headers = {}, attachments = [] } = written
    const { rejected, rejectedErrors } = await by.sendMail({
      ...{ from, to, subject, messageId: `<${id}>`, text: html === undefined ? text : undefined, html },
      ...{ envelope: { from: 'ada@example.org', to }, attachments: [...attachments] },
      headers: { 'Authentication-Results': `${authserv}; ${verdict} header.from=example.org`, ...headers },
    })
    // By LMTP each recipient has an answer of its own at the end.
    if (rejected.length > 0) throw rejectedErrors?.[0] ?? new Error('The mail was not taken')
    return id
  }

  const publish = publishFor(world, account_id)

  /** One round of all that the worker does. */
  async function run(): Promise<void> {
    await sweepChannels(worker)
    await workDeliveries(worker, channel_id)
    await publish(worker)
    await showProgress(worker)
    await sendMessages(worker, channel_id)
  }

  const deliveries = () =>
    world.db
      .selectFrom('channel_deliveries')
      .selectAll()
      .where('channel_id', '=', channel_id)
      .orderBy('position')
      .execute()
  const sessionsHere = () =>
    world.db
      .selectFrom('project_sessions')
      .selectAll()
      .where('project_id', '=', project_id)
      .orderBy('created_at')
      .execute()

  return {
    ...{ world, sink, project, channel_id, connected, address, worker, asPerson, listen, failures },
    ...{ deliver, publish, run, deliveries, sessionsHere },
    verdicts: async () => (await deliveries()).map(({ verdict, reason }) => [verdict, reason]),
    threads: () =>
      world.db
        .selectFrom('channel_threads')
        .selectAll()
        .where('channel_id', '=', channel_id)
        .orderBy('created_at')
        .execute(),
    prompts: (session_id: string) =>
      world.db
        .selectFrom('session_prompts')
        .selectAll()
        .where('session_id', '=', session_id)
        .orderBy('position')
        .execute(),
    /** The address to which answers to the last mail go. */
    replyTo: () => sink.mails.at(-1)?.replyTo?.value[0]?.address ?? '',
    /** Ada, by her mail address, is that person from now on. */
    async link(person: Person, from = 'Ada <ada@example.org>'): Promise<void> {
      await deliver({ from, text: 'hello' })
      await run()
      const [, token = ''] = /#token=([\w-]+)/.exec(sink.mails.at(-1)?.text ?? '') ?? []
      await linkChannelSender(asPerson(person), { token })
      await world.db
        .updateTable('channel_deliveries')
        .set({ verdict: 'ignored', retry_at: null })
        .where('channel_id', '=', channel_id)
        .where('verdict', '=', 'pending')
        .execute()
      sink.mails.length = 0
    },
  }
}
