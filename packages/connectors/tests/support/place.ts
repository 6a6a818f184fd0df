import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createDatabase, signIns } from '@svc/db'
import { guardedWire } from '@svc/outbound'
import {
  addMember,
  agentPrincipal,
  look,
  makeProject,
  type Person,
  runningSession,
  type TestProject,
  type World,
} from '@svc/services/testing'
import { createProviders, type Providers } from '@svc/upstream'
import { afterAll } from 'vitest'
import { createExecutor, type LocalExecutor } from '../../src/executor/index.ts'
import { type ConnectorContext, type ConnectorSettings, createConnection } from '../../src/index.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Service {
  readonly url: string
  /** Everything that it was asked, in order. */
  readonly asked: Asked[]
  answer: (asked: Asked, response: ServerResponse) => void
}

/** Somebody else's service, which counts. */
export async function startService(): Promise<Service> {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const asked = { method, path, headers, body: await text(request) }
    service.asked.push(asked)
    service.answer(asked, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const service: Service = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: (asked, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ path: asked.path, n: service.asked.length }))
    },
  }
  return service
}

export const settings: ConnectorSettings = { approval_sign_in_minutes: 60, call_days: 90 }

/** An executor of its own: another one is another process. */
export function openExecutor(world: World, instead: Partial<Providers['of']> = {}): LocalExecutor {
  const locks = createDatabase(world.connection_string, { max: 4 })
  const wire = guardedWire({ open: ['127.0.0.0/8'] })
  afterAll(() => locks.destroy())
  return createExecutor({
    ...world.base,
    locks,
    signal: new AbortController().signal,
    ...{ wire, providers: { ...createProviders({ wire }).of, ...instead } },
    connector_settings: settings,
  })
}

export interface Place {
  readonly project: TestProject
  readonly project_id: string
  /** The text of its svc.yaml as it was declared. */
  readonly manifest: string
  readonly session_id: string
  /** The agent of a session, whose manifest lists the connector for it. */
  readonly agent: ConnectorContext
  /** The owner with a sign-in of a moment ago. */
  readonly person: ConnectorContext
  readonly as: (who: Person) => Promise<ConnectorContext>
  readonly prompts: () => Promise<{ readonly text: string; readonly source: string }[]>
  readonly events: (type: string) => Promise<Readonly<Record<string, unknown>>[]>
}

/** A project with one connector, `tracker`, and a session that may call it. */
export async function openPlace(
  world: World,
  executor: LocalExecutor,
  service: Service,
  {
    policies = '',
    more = '',
    auth = true,
    agents = '',
  }: { policies?: string; more?: string; auth?: boolean; agents?: string } = {},
): Promise<Place> {
  const project = await makeProject(world)
  const { project_id } = project
  const manifest = manifestOf(service, { policies, more, auth, agents })
  await project.commit('main', { 'svc.yaml': manifest }, 'Declare a connector')
  await look(world, project)
  const parts = { executor, connector_settings: settings }
  const signedIn = async ({ principal, user_id }: Person): Promise<ConnectorContext> => {
    const sign_in_id = randomUUID()
    const now = world.clock.now()
    await signIns.insert(world.db, {
      ...{ sign_in_id, user_id, method: 'password', mfa: false },
      ...{ created_at: now, expires_at: new Date(now.getTime() + 86_400_000) },
    })
    const sign_in = { sign_in_id, mfa: false, mfa_needed_by: [], sso_needed_by: [] }
    return { ...world.as({ ...principal, sign_in }), ...parts }
  }
  const person = await signedIn(project.owner)
  await executor.sync({ project_id, slug: 'tracker' })
  if (auth)
    await createConnection(person, { project_id, slug: 'tracker', credential: { token: 'tok-sesame' } })
  const session = await runningSession(world, project)
  const { session_id } = session
  return {
    ...{ project, project_id, manifest, session_id, person },
    agent: { ...world.as(agentPrincipal({ ...session, project_id }, [])), ...parts },
    as: signedIn,
    prompts: () =>
      world.db
        .selectFrom('session_prompts')
        .select(['text', 'source'])
        .where('session_id', '=', session_id)
        .orderBy('position')
        .execute(),
    events: async (type) => {
      const rows = await world.db
        .selectFrom('session_events')
        .select('payload')
        .where('session_id', '=', session_id)
        .where('type', '=', type)
        .orderBy('seq')
        .execute()
      return rows.map(({ payload }) => payload as Readonly<Record<string, unknown>>)
    },
  }
}

export const secondPerson = (world: World, { project }: Place) => addMember(world, project, 'manager')

const manifestOf = (
  { url }: Service,
  { policies, more, auth, agents }: { policies: string; more: string; auth: boolean; agents: string },
) => `svc_version: 2
default_agent: default
agents:
  default:
    svc_cli: [project.read]
    connectors: [tracker]
${agents}connectors:
  - slug: tracker
    name: Tracker
    provider: http
    base_url: ${url}/api
${auth ? '    auth: { type: bearer }\n' : ''}${policies === '' ? '' : `    policies:\n${policies}`}${more}
`
