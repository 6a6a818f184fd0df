import { createSession } from '@svc/services'
import { openWorld } from '@svc/services/testing'
import { createConnection } from '../../src/index.ts'
import { sessionConnections } from '../../src/sessions/index.ts'
import { openExecutor, openPlace, type Place, type Service, startService } from '../support/place.ts'

const more = (service: Service) => `
  - slug: crm
    provider: http
    base_url: ${service.url}/crm
    auth: { type: bearer }
  - slug: mine
    provider: http
    base_url: ${service.url}/mine
    auth: { type: bearer }
    authorization_strategy: user
triggers:
  - { slug: nightly, type: cron, cron: '0 0 3 * * *', agent: needy, prompt: x }
`

const agents = `  needy: { svc_cli: [project.read], connectors: [crm], connectors_required: [crm] }
  own: { svc_cli: [project.read], connectors: [mine], connectors_required: [mine] }
  open: { svc_cli: [project.read], connectors: [tracker, crm, mine] }
`

/** A platform whose sessions are asked for their connections, and places with connectors of both kinds, agents that need them, and a trigger. */
export async function openStage() {
  const world = await openWorld({ session_cap: 500 })
  Object.assign(world.base, { session_connections: sessionConnections })
  const executor = openExecutor(world)
  const service = await startService()
  const openNeedy = (): Promise<Place> => openPlace(world, executor, service, { more: more(service), agents })
  const place = await openNeedy()
  return { world, place, openNeedy, connect: connector(place), start: starter(place) }
}

export const connector =
  (place: Place) =>
  (who: Place['person'], slug: string, scope: 'project' | 'personal', label = 'x') =>
    createConnection(who, {
      ...{ project_id: place.project_id, slug, scope, label },
      credential: { token: `tok-${label}` },
    })

export const starter =
  (place: Place) =>
  async (who: Place['person'], agent_name: string, bindings: Record<string, string> = {}) => {
    const chosen = Object.entries(bindings).map(([slug, connection_id]) => [slug, { connection_id }])
    const made = await createSession(who, {
      ...{ project_id: place.project_id, respond_async: false },
      body: { agent_name, connector_bindings: Object.fromEntries(chosen) },
    })
    if (made.kind !== 'created') throw new Error(made.reason)
    return { project_id: place.project_id, session_id: made.session.session_id }
  }
