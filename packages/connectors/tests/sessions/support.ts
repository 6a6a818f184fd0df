import { createSession } from '@svc/services'
import type { World } from '@svc/services/testing'
import { createConnection } from '../../src/index.ts'
import type { LocalExecutor } from '../../src/executor/index.ts'
import { openPlace, type Place, type Service } from '../support/place.ts'

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

/** A place with connectors of both kinds, agents that need them, and a trigger. */
export const openNeedy = (world: World, executor: LocalExecutor, service: Service): Promise<Place> =>
  openPlace(world, executor, service, { more: more(service), agents })

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
