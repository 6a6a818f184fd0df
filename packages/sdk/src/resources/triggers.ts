import type { connectorBindings, triggers as routes } from '@svc/contract'
import type { ConnectorBindings, TriggerBindings } from '../connector-types.ts'
import type { Http } from '../http/transport.ts'
import { type Listing, listing } from '../listing.ts'
import type { RequestOptions } from '../options.ts'
import type {
  CreateTriggerInput,
  Trigger,
  TriggerDelivery,
  TriggerFire,
  TriggerFireAnswer,
  TriggerList,
  TriggerProposal,
  UpdateTriggerInput,
} from '../types.ts'

export interface Triggers {
  /** The triggers of the default branch; `errors` are entries that cannot be used. */
  list(project_id: string, options?: RequestOptions): Promise<TriggerList>
  get(project_id: string, slug: string, options?: RequestOptions): Promise<Trigger>
  /**
   * Commits to the manifest. 409 when the slug is taken, 400 with `issues` when the entry is not valid. Asked for with a
   * session's token, it answers the change request that proposes it: people commit, sessions propose.
   */
  create(
    project_id: string,
    input: CreateTriggerInput,
    options?: RequestOptions,
  ): Promise<Trigger | TriggerProposal>
  /** Only the given fields; null takes one away. Proposed by a session, as for `create`. */
  update(
    project_id: string,
    slug: string,
    input: UpdateTriggerInput,
    options?: RequestOptions,
  ): Promise<Trigger | TriggerProposal>
  /** Null when it is gone; the proposal of a session, as for `create`. */
  delete(project_id: string, slug: string, options?: RequestOptions): Promise<TriggerProposal | null>
  /** Pauses or resumes everything that fires by itself. */
  setPaused(project_id: string, paused: boolean, options?: RequestOptions): Promise<void>
  /** Fires now. 422 `TRIGGER_CANNOT_FIRE` says why it cannot. Never repeated. */
  fire(
    project_id: string,
    slug: string,
    input?: { text?: string },
    options?: RequestOptions,
  ): Promise<TriggerFireAnswer>
  /** The connections that were chosen for its sessions. */
  bindings(project_id: string, slug: string, options?: RequestOptions): Promise<TriggerBindings>
  /**
   * Replaces them; the next fire takes them. Connections of the project alone: 400 `INVALID_SESSION_CONNECTOR_BINDINGS`
   * with `issues` for others.
   */
  setBindings(
    project_id: string,
    slug: string,
    connector_bindings: ConnectorBindings,
    options?: RequestOptions,
  ): Promise<TriggerBindings>
  /** The next five fires of a schedule. */
  preview(project_id: string, slug: string, options?: RequestOptions): Promise<string[]>
  /** The ledger, newest first. */
  fires(
    project_id: string,
    slug: string,
    query?: { limit?: number; cursor?: string },
    options?: RequestOptions,
  ): Listing<TriggerFire>
  /** Fires an occurrence of the ledger again, by its `fire_id`. Never repeated. */
  replay(
    project_id: string,
    slug: string,
    fire_id: string,
    options?: RequestOptions,
  ): Promise<TriggerFireAnswer>
  /** The requests that came for a webhook, newest first. */
  deliveries(
    project_id: string,
    slug: string,
    query?: { limit?: number; cursor?: string },
    options?: RequestOptions,
  ): Listing<TriggerDelivery>
  /** Fires a delivery again, by the `receipt_id` of the log. */
  redeliver(
    project_id: string,
    slug: string,
    receipt_id: string,
    options?: RequestOptions,
  ): Promise<TriggerFireAnswer>
}

const base = '/v1/projects/{project_id}/triggers'

export function triggers(http: Http): Triggers {
  return {
    list: (project_id, options = {}) =>
      http.call<typeof routes.listTriggers>(`GET ${base}`, { ...options, params: { project_id } }),
    get: (project_id, slug, options = {}) =>
      http.call<typeof routes.getTrigger>(`GET ${base}/{slug}`, { ...options, params: { project_id, slug } }),
    create: (project_id, body, options = {}) =>
      http.call<typeof routes.createTrigger>(`POST ${base}`, { ...options, params: { project_id }, body }),
    update: (project_id, slug, body, options = {}) =>
      http.call<typeof routes.updateTrigger>(`PATCH ${base}/{slug}`, {
        ...options,
        params: { project_id, slug },
        body,
      }),
    delete: async (project_id, slug, options = {}) => {
      const params = { project_id, slug }
      const answer = await http.call<typeof routes.deleteTrigger>(`DELETE ${base}/{slug}`, {
        ...options,
        params,
      })
      return 'status' in answer ? answer : null
    },
    setPaused: async (project_id, paused, options = {}) => {
      const params = { project_id }
      const body = { paused }
      await http.call<typeof routes.setTriggerActivation>(`PATCH ${base}/activation`, {
        ...options,
        params,
        body,
      })
    },
    fire: (project_id, slug, body = {}, options = {}) =>
      http.call<typeof routes.fireTrigger>(`POST ${base}/{slug}/fire`, {
        ...options,
        params: { project_id, slug },
        body,
      }),
    bindings: (project_id, slug, options = {}) =>
      http.call<typeof connectorBindings.getTriggerBindings>(`GET ${base}/{slug}/bindings`, {
        ...options,
        params: { project_id, slug },
      }),
    setBindings: (project_id, slug, connector_bindings, options = {}) =>
      http.call<typeof connectorBindings.setTriggerBindings>(`PUT ${base}/{slug}/bindings`, {
        ...options,
        params: { project_id, slug },
        body: { connector_bindings },
      }),
    preview: async (project_id, slug, options = {}) => {
      const params = { project_id, slug }
      const answer = await http.call<typeof routes.previewTrigger>(`GET ${base}/{slug}/preview`, {
        ...options,
        params,
      })
      return answer.next_fires
    },
    fires: (project_id, slug, query = {}, options = {}) =>
      listing(async (cursor) => {
        const page = await http.call<typeof routes.listTriggerFires>(`GET ${base}/{slug}/fires`, {
          ...options,
          params: { project_id, slug },
          query: { ...query, cursor },
        })
        return { items: page.fires, next_cursor: page.next_cursor }
      }, query.cursor),
    replay: (project_id, slug, fire_id, options = {}) =>
      http.call<typeof routes.replayTriggerFire>(`POST ${base}/{slug}/fires/{fire_id}/replay`, {
        ...options,
        params: { project_id, slug, fire_id },
      }),
    deliveries: (project_id, slug, query = {}, options = {}) =>
      listing(async (cursor) => {
        const page = await http.call<typeof routes.listTriggerDeliveries>(`GET ${base}/{slug}/deliveries`, {
          ...options,
          params: { project_id, slug },
          query: { ...query, cursor },
        })
        return { items: page.deliveries, next_cursor: page.next_cursor }
      }, query.cursor),
    redeliver: (project_id, slug, receipt_id, options = {}) =>
      http.call<typeof routes.redeliverTrigger>(`POST ${base}/{slug}/deliveries/{receipt_id}/redeliver`, {
        ...options,
        params: { project_id, slug, receipt_id },
      }),
  }
}
