import type { connectorCalls as routes } from '@svc/contract'
import { recordOf } from '../../http/api-error.ts'
import { sleep } from '../../http/sleep.ts'
import type { Http } from '../../http/transport.ts'
import { type Listing, listing } from '../../listing.ts'
import type { RequestOptions } from '../../options.ts'
import type {
  ConnectorCall,
  ConnectorCallState,
  ConnectorOutcome,
  ConnectorTools,
  CreateConnectorCallInput,
  ListConnectorCallsQuery,
  SearchConnectorToolsQuery,
  SettleConnectorCallInput,
} from '../../connector-types.ts'

/** Calls of connectors, and the ledger of them. */
export interface ConnectorCalls {
  /** The actions that the caller may name, the best first, at most 20. */
  search(
    project_id: string,
    query?: SearchConnectorToolsQuery,
    options?: RequestOptions,
  ): Promise<ConnectorTools>
  /**
   * Resolves to how it ended, whatever the HTTP status: `done` with `data`, or `denied`, `error` or `pending` with `reason`
   * and `message`. Rejects for refusals that have no `reason`, such as 401, and when no answer came. Never repeated: with an
   * `idempotency_key` it is safe to send again.
   */
  create(
    project_id: string,
    input: CreateConnectorCallInput,
    options?: RequestOptions,
  ): Promise<ConnectorOutcome>
  /** `wait_seconds`: up to 20, in which the call may end. */
  get(
    project_id: string,
    call_id: string,
    query?: { wait_seconds?: number },
    options?: RequestOptions,
  ): Promise<ConnectorCallState>
  /** Asks until the call is no longer `pending`, which takes as long as people take, or until the signal aborts. */
  wait(project_id: string, call_id: string, options?: RequestOptions): Promise<ConnectorCallState>
  /** Newest first; neither arguments nor results. */
  list(project_id: string, query?: ListConnectorCallsQuery, options?: RequestOptions): Listing<ConnectorCall>
  /** One's own call, while it waits for a person. 409 `CALL_NOT_CANCELLABLE` once it is carried out or has ended. */
  cancel(project_id: string, call_id: string, options?: RequestOptions): Promise<ConnectorCall>
  /** Says how an `unknown` call ended. 409 `CALL_NOT_UNKNOWN`; 403 `person_required` without a sign-in. */
  settle(
    project_id: string,
    call_id: string,
    input: SettleConnectorCallInput,
    options?: RequestOptions,
  ): Promise<ConnectorCall>
}

const project = '/v1/projects/{project_id}'
const base = `${project}/connector-calls` as const
/** Below the time in which every answer has to begin. */
const pollSeconds = 20
/** Between answers that came at once, as from a server that is about to stop. */
const pauseMs = 250

export function connectorCalls(http: Http): ConnectorCalls {
  const calls: ConnectorCalls = {
    search: (project_id, query = {}, options = {}) =>
      http.call<typeof routes.searchConnectorTools>(`GET ${project}/connector-catalog`, {
        ...options,
        params: { project_id },
        query,
      }),
    create: (project_id, body, options = {}) =>
      http.call<typeof routes.createConnectorCall>(`POST ${base}`, {
        ...options,
        params: { project_id },
        body,
        isAnswer: isOutcome,
      }),
    get: (project_id, call_id, query = {}, options = {}) =>
      http.call<typeof routes.getConnectorCall>(`GET ${base}/{call_id}`, {
        ...options,
        params: { project_id, call_id },
        query,
      }),
    wait: async (project_id, call_id, options = {}) => {
      for (;;) {
        const state = await calls.get(project_id, call_id, { wait_seconds: pollSeconds }, options)
        if (state.status !== 'pending') return state
        await sleep(pauseMs, options.signal)
      }
    },
    list: (project_id, query = {}, options = {}) =>
      listing(async (cursor) => {
        const page = await http.call<typeof routes.listConnectorCalls>(`GET ${base}`, {
          ...options,
          params: { project_id },
          query: { ...query, cursor },
        })
        return { items: page.calls, next_cursor: page.next_cursor }
      }, query.cursor),
    cancel: (project_id, call_id, options = {}) =>
      http.call<typeof routes.cancelConnectorCall>(`POST ${base}/{call_id}/cancel`, {
        ...options,
        params: { project_id, call_id },
      }),
    settle: (project_id, call_id, body, options = {}) =>
      http.call<typeof routes.settleConnectorCall>(`POST ${base}/{call_id}/settle`, {
        ...options,
        params: { project_id, call_id },
        body,
      }),
  }
  return calls
}

/** The outcome of a call is its answer, with whatever status it comes. */
function isOutcome(text: string): boolean {
  const { ok, reason } = recordOf(text)
  return ok === false && typeof reason === 'string'
}
