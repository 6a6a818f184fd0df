import { look, makeProject, type World } from '@svc/services/testing'
import { type GuardedOptions, startGuardedMcp } from '@svc/upstream/testing'
import { afterAll } from 'vitest'
import type { LocalExecutor } from '../../src/executor/index.ts'
import {
  beginAuthorization,
  callConnector,
  type ConnectorContext,
  finishAuthorization,
  listConnections,
  receiveAuthorization,
} from '../../src/index.ts'
import { settings } from './place.ts'

/** The address that its issuer sends browsers back to. */
export const callback = 'https://svc.example.test/v1/connectors/oauth/callback'
const tool = {
  name: 'search',
  description: 'Searches',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
}

/** A project with one connector, `docs`: an MCP server that takes tokens of a real issuer alone. */
export async function openSignInPlace(
  world: World,
  executor: LocalExecutor,
  more: GuardedOptions & { auth?: string; strategy?: string; required?: boolean } = {},
) {
  const guarded = await startGuardedMcp({ tools: () => [tool], ...more })
  afterAll(guarded.close)
  const project = await makeProject(world)
  const { project_id } = project
  const manifest = `svc_version: 2
default_agent: default
agents:
  default: { svc_cli: [project.read], connectors: [docs]${more.required ? ', connectors_required: [docs]' : ''} }
connectors:
  - { slug: docs, name: Docs, provider: mcp, url: "${guarded.server.url}"${more.auth ?? ''}${more.strategy ?? ''} }
`
  await project.commit('main', { 'svc.yaml': manifest }, 'Declare a connector')
  await look(world, project)
  const as = ({ principal }: (typeof project)['owner']): ConnectorContext => ({
    ...world.as(principal),
    executor,
    connector_settings: settings,
  })
  const person = as(project.owner)
  const key = { project_id, slug: 'docs' }
  await executor.sync(key)
  const signIn = async (authorization_url: string | null) => {
    const back = await guarded.issuer.signIn(authorization_url ?? '', callback)
    return Object.fromEntries(back.searchParams) as { state: string; code: string; iss: string }
  }
  return {
    ...{ ...guarded, project, person, as, key, signIn },
    call: () =>
      callConnector(person, {
        ...{ project_id, connector: 'docs', action: 'search', args: {}, wait_seconds: 20, door: 'rest' },
      }),
    connect: async (more: { connection_id?: string } = {}) => {
      const begun = await beginAuthorization(person, { ...key, ...more })
      await receiveAuthorization(person, await signIn(begun.authorization_url))
      return finishAuthorization(person, { ...key, authorization_id: begun.authorization_id })
    },
    connection: async () => (await listConnections(person, key)).connections.at(-1),
  }
}
