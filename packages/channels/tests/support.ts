import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type ChannelRow, channels } from '@svc/db/channels'
import { type Db, sessionEvents } from '@svc/db'
import { sessionConnections } from '@svc/connectors/sessions'
import { ServiceError, statusOf } from '@svc/errors'
import { databasesOf, makeProject, type Person, type World } from '@svc/services/testing'
import { sessionModels } from '@svc/spend'
import { afterAll } from 'vitest'
import { type FakeMessage, type FakeUser, startFakeSlack } from '../../slack/tests/fake-slack/index.ts'
import {
  type ChannelContext,
  connectChannel,
  linkChannelSender,
  openChannelPlatforms,
  receiveChannelMessage,
} from '../src/index.ts'
import {
  type ChannelWorkerContext,
  sendMessages,
  showProgress,
  sweepChannels,
  workDeliveries,
} from '../src/worker/index.ts'
import { publishFor } from './publish.ts'

export const tokens = { bot_token: 'xoxb-1', signing_secret: 'signing' }

/** A door as the API has it, by HTTP; `broken` answers 500 that often, after the work or before it. */
async function openDoor(world: World, db: Db) {
  const fault = { before: 0, after: 0 }
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request)
    if (fault.before > 0) {
      fault.before -= 1
      return response.writeHead(500).end()
    }
    const [, channel_id = ''] = /\/([^/]+)$/.exec(request.url ?? '') ?? []
    try {
      const answer = await receiveChannelMessage(
        { ...world.base, db },
        {
          channel_id,
          headers: new Headers(request.headers as Record<string, string>),
          body: async () => ({ bytes, whole: true }),
        },
      )
      if (fault.after > 0) {
        fault.after -= 1
        return response.writeHead(500).end()
      }
      return response.writeHead(200).end(JSON.stringify(answer))
    } catch (error) {
      return response.writeHead(error instanceof ServiceError ? statusOf(error.code) : 500).end()
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, fault }
}

export type Stage = Awaited<ReturnType<typeof openStage>>

/** A Slack, a project, a door and a worker that does what the test says and nothing by itself. */
export async function openStage(world: World, more: { readonly policy?: ChannelRow['policy'] } = {}) {
  const slack = await startFakeSlack({ ...tokens, now: world.clock.now })
  afterAll(() => slack.close())
  const { api, channel: db } = await databasesOf(world)
  const { platforms, close } = openChannelPlatforms(['127.0.0.0/8'])
  afterAll(() => close())
  const project = await makeProject(world)
  const { project_id, account_id, owner } = project
  const asPerson = (person: Person): ChannelContext => ({
    ...world.as(person.principal, { db: api }),
    channel_platforms: platforms,
  })
  const connected = await connectChannel(asPerson(owner), {
    ...{ project_id, platform: 'chat_a', credentials: tokens, settings: { api_url: slack.api_url } },
    ...more,
  })
  const { channel_id } = connected
  const door = await openDoor(world, api)
  await slack.register(`${door.url}/${channel_id}`)
  const general = slack.workspace.addConversation('general')
  const worker: ChannelWorkerContext = {
    ...world.worker({
      db,
      session_models: sessionModels(world.base),
      session_connections: sessionConnections,
    }),
    channel_platforms: platforms,
  }

  const publishBy = publishFor(world, account_id)
  const publish = (by: ChannelWorkerContext = worker) => publishBy(by)

  /** One round of all that the worker does. */
  async function run(): Promise<void> {
    await slack.settled()
    await sweepChannels(worker)
    await workDeliveries(worker, channel_id)
    await publish()
    await showProgress(worker)
    await sendMessages(worker, channel_id)
    await slack.settled()
  }

  const row = async (): Promise<ChannelRow> => {
    const found = await channels.findById(world.db, channel_id)
    if (found === undefined) throw new Error('The channel is lost')
    return found
  }
  const mention = (user: FakeUser, text: string, thread_ts?: string): string =>
    slack.say({
      ...{ conversation: general, user, text: `<@${slack.bot.user_id}> ${text}` },
      ...(thread_ts === undefined ? {} : { thread_ts }),
    })
  /** The words of the bot in a thread. */
  const said = (root: string): readonly FakeMessage[] =>
    slack.posts(general, root).filter(({ bot_id }) => bot_id !== undefined)
  const sessionsHere = () =>
    world.db
      .selectFrom('project_sessions')
      .selectAll()
      .where('project_id', '=', project_id)
      .orderBy('created_at')
      .execute()
  const deliveries = () =>
    world.db
      .selectFrom('channel_deliveries')
      .selectAll()
      .where('channel_id', '=', channel_id)
      .orderBy('position')
      .execute()

  return {
    ...{ world, slack, project, channel_id, connected, door, general, worker, asPerson },
    ...{ publish, run, row, mention, said, sessionsHere, deliveries },
    prompts: (session_id: string) =>
      world.db
        .selectFrom('session_prompts')
        .selectAll()
        .where('session_id', '=', session_id)
        .orderBy('position')
        .execute(),
    /** The address of the last link that a person was offered. */
    tokenOf: (user: FakeUser): string => {
      const offered = slack.workspace.ephemerals.findLast((one) => one.user === user.id)
      const [, token = ''] = /#token=([\w-]+)/.exec(JSON.stringify(offered?.blocks ?? [])) ?? []
      return token
    },
    /** A person of Slack who is linked to one of the platform. */
    async linked(name: string, person: Person): Promise<FakeUser> {
      const user = slack.workspace.addUser(name)
      mention(user, 'hello')
      await run()
      const token = this.tokenOf(user)
      await linkChannelSender(asPerson(person), { token })
      await world.db
        .updateTable('channel_deliveries')
        .set({ verdict: 'ignored', retry_at: null })
        .where('sender', '=', user.id)
        .where('verdict', '=', 'pending')
        .execute()
      return user
    },
  }
}

/** The agent of a session says something in the turn of a prompt, which then ends. */
export async function answerTurn(
  { world }: { readonly world: World },
  { session_id, prompt_id }: { readonly session_id: string; readonly prompt_id: string },
  text: string,
): Promise<void> {
  const at = world.clock.now()
  const event = (type: string, payload: Readonly<Record<string, unknown>>) => ({ type, at, payload })
  await sessionEvents.append(world.db, session_id, [
    event('turn', { prompt_id, state: 'begin' }),
    event('message', { message_id: `m-${prompt_id}`, role: 'assistant', text }),
    event('turn', { prompt_id, state: 'end', status: 'completed' }),
  ])
  await world.db
    .updateTable('session_prompts')
    .set({ state: 'done' })
    .where('prompt_id', '=', prompt_id)
    .execute()
}
