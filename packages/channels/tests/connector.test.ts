import { createDatabase } from '@svc/db'
import { callConnector } from '@svc/connectors'
import { createExecutor } from '@svc/connectors/executor'
import { guardedWire } from '@svc/outbound'
import { agentPrincipal, databasesOf, look, openWorld } from '@svc/services/testing'
import { createProviders } from '@svc/upstream'
import { afterAll, expect, test } from 'vitest'
import { channelCalls } from '../src/connector.ts'
import { openStage } from './support.ts'

const world = await openWorld({ session_cap: 500 })
const settings = { approval_sign_in_minutes: 60, call_days: 90 }

const manifest = `svc_version: 2
connectors:
  - { slug: svc_chat_a, name: Slack, provider: channel, platform: chat_a, policies: [{ match: '*', action: always_run }] }
agents:
  default: { connectors: [svc_chat_a] }
`

test('an agent replies where its session was begun, and writes where the channel lets it, each once', async () => {
  const stage = await openStage(world)
  const { project, slack, general } = stage
  const { project_id } = project
  await project.commit('main', { 'svc.yaml': manifest }, 'Declare a connector')
  await look(world, project)
  const { executor: db } = await databasesOf(world)
  const locks = createDatabase(world.connection_string, { max: 4 })
  afterAll(() => locks.destroy())
  const wire = guardedWire({ open: ['127.0.0.0/8'] })
  const executor = createExecutor({
    ...{ ...world.base, db, locks, signal: new AbortController().signal, wire, connector_settings: settings },
    providers: createProviders({ wire, channels: channelCalls({ ...world.base, db }) }).of,
  })
  await executor.sync({ project_id, slug: 'svc_chat_a' })

  const ada = await stage.linked('Ada', project.owner)
  const root = stage.mention(ada, 'begin')
  await stage.run()
  await world.queue.drain()
  const [session] = await stage.sessionsHere()
  const { session_id = '', created_by = '' } = session ?? {}
  const agent = {
    ...world.as(agentPrincipal({ session_id, project_id, created_by }, [])),
    ...{ executor, connector_settings: settings },
  }
  const call = (action: string, args: Readonly<Record<string, unknown>>) =>
    callConnector(agent, {
      project_id,
      connector: 'svc_chat_a',
      action,
      args,
      wait_seconds: 20,
      door: 'executor',
    })
  const replied = await call('reply', { text: 'half way' })
  expect(replied).toMatchObject({ ok: true, status: 'done' })
  expect(await call('send', { to: general.id, text: 'for all', subject: 'News' })).toMatchObject({
    ok: true,
    status: 'done',
  })
  expect(await call('send', { to: 'C0', text: 'elsewhere' })).toMatchObject({
    ok: false,
    reason: 'invalid_arguments',
  })
  // The same call carried out again, as after a worker that died, is the same message.
  const again = channelCalls({ ...world.base, db })
  const { call_id = '' } = replied
  expect(await again.put(call_id, { text: 'half way' })).toMatchObject({ kind: 'put' })
  await stage.run()
  await stage.run()
  expect(stage.said(root).filter(({ text }) => text === 'half way')).toHaveLength(1)
  expect(slack.posts(general).filter(({ text }) => text.includes('News'))).toHaveLength(1)
})
