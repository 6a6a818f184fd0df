import type {
  previewTickets,
  sessionLog,
  sessionPrompts,
  sessions as routes,
  sessionSummaries,
} from '@svc/contract'
import { requestPath } from '../http/api-url.ts'
import { type Http, parseAnswer } from '../http/transport.ts'
import { type Listing, listing } from '../listing.ts'
import type { RequestOptions } from '../options.ts'
import type { StreamOptions } from '../stream/resumed-stream.ts'
import { sessionStream } from '../stream/session-stream.ts'
import type {
  CreateSessionInput,
  ListSessionsQuery,
  ListSessionSummariesQuery,
  PreviewTicket,
  Prompt,
  PromptSessionInput,
  QueuedSession,
  RefreshedSession,
  Session,
  SessionEvent,
  SessionDiff,
  SessionEvents,
  SessionSummaries,
  Transcript,
  UpdateSessionInput,
} from '../types.ts'
import { asks, type Asks } from './asks.ts'
import { sessionConnectors, type SessionConnectors } from './connectors/session-connectors.ts'
import { awaitSession } from './await-session.ts'
import { prompts, type Prompts } from './prompts.ts'
import { sessionRuntimes, type SessionRuntimes } from './harnesses/session-runtime.ts'

export interface CreateSessionOptions extends RequestOptions {
  /** 1 to 255 of `A-Z a-z 0-9 . _ : + / = -`, unique across the service. A repeat answers with the same session. */
  readonly idempotency_key?: string | undefined
}

export interface PromptOptions extends RequestOptions {
  /** A key as for a session, unique to the sender in this session. A repeat answers with the same prompt. */
  readonly idempotency_key?: string | undefined
}

export interface Sessions {
  readonly prompts: Prompts
  readonly asks: Asks
  readonly connectors: SessionConnectors
  readonly runtime: SessionRuntimes
  /** Resolves as soon as the session exists, which is before its sandbox runs. 429 `session_limit_reached` at the account's cap. */
  create(project_id: string, input?: CreateSessionInput, options?: CreateSessionOptions): Promise<Session>
  /** Asks for a queued create; the session appears under its `session_id` later. */
  queue(
    project_id: string,
    input?: CreateSessionInput,
    options?: CreateSessionOptions,
  ): Promise<Session | QueuedSession>
  /** Newest first. `q` is part of the name, or the start of the id. */
  list(project_id: string, query?: ListSessionsQuery, options?: RequestOptions): Listing<Session>
  get(project_id: string, session_id: string, options?: RequestOptions): Promise<Session>
  update(
    project_id: string,
    session_id: string,
    input: UpdateSessionInput,
    options?: RequestOptions,
  ): Promise<Session>
  /** Removes the session and its sandbox; the branch stays. */
  delete(project_id: string, session_id: string, options?: RequestOptions): Promise<void>
  /** Stops the sandbox; its files stay. */
  stop(project_id: string, session_id: string, options?: RequestOptions): Promise<Session>
  /** Resumes a stopped session; the server waits up to 20 s for it to run. */
  start(project_id: string, session_id: string, options?: RequestOptions): Promise<Session>
  /** A new sandbox with fresh tokens, on the same branch. */
  restart(project_id: string, session_id: string, options?: RequestOptions): Promise<Session>
  /** Pulls the session branch again and starts the agent runtime anew. 409 `REFRESH_BLOCKED` where work in the sandbox stands in the way. */
  refresh(project_id: string, session_id: string, options?: RequestOptions): Promise<RefreshedSession>
  /** Ends the turn that runs; prompts that wait go on afterwards. */
  abort(project_id: string, session_id: string, options?: RequestOptions): Promise<void>
  /** An address at which a browser sees a port of the sandbox; it works once, within a minute. */
  previewTicket(
    project_id: string,
    session_id: string,
    input: { port: number },
    options?: RequestOptions,
  ): Promise<PreviewTicket>
  /** Kept durably and delivered in order; a sleeping sandbox is woken. Never repeated by itself. */
  prompt(
    project_id: string,
    session_id: string,
    input: PromptSessionInput,
    options?: PromptOptions,
  ): Promise<Prompt>
  /** Up to `limit` (200) stored events after `after` (0). */
  events(
    project_id: string,
    session_id: string,
    query?: { after?: number; limit?: number },
    options?: RequestOptions,
  ): Promise<SessionEvents>
  /**
   * The event log as it grows. Survives cut connections: each stored event comes once and in order, resumed by
   * `Last-Event-ID`. Ends by `break` or the signal, or throws on a refusal and when the server stays away.
   */
  stream(project_id: string, session_id: string, options?: StreamOptions): AsyncIterableIterator<SessionEvent>
  /** As people follow them, newest first, with a title, a state and a phrase each; `counts` are of the whole project. */
  summaries(
    project_id: string,
    query?: ListSessionSummariesQuery,
    options?: RequestOptions,
  ): Promise<SessionSummaries>
  /** The work since the base branch, with what was saved but not committed; `path` narrows to one file. */
  diff(
    project_id: string,
    session_id: string,
    query?: { path?: string },
    options?: RequestOptions,
  ): Promise<SessionDiff>
  /** The conversation, also when the sandbox is gone. */
  transcript(project_id: string, session_id: string, options?: RequestOptions): Promise<Transcript>
}

const base = '/v1/projects/{project_id}/sessions'
const one = `${base}/{session_id}` as const

export function sessions(http: Http): Sessions {
  async function post(
    project_id: string,
    body: CreateSessionInput,
    options: CreateSessionOptions,
    prefer?: string,
  ) {
    const answer = await http.send({
      method: 'POST',
      path: requestPath(base, { project_id }),
      json: body,
      headers: {
        ...keyHeader(options.idempotency_key),
        ...(prefer === undefined ? {} : { prefer }),
      },
      signal: options.signal,
      request_id: options.request_id,
    })
    return parseAnswer<Session | QueuedSession>(answer)
  }

  const get: Sessions['get'] = (project_id, session_id, options = {}) =>
    http.call<typeof routes.getSession>(`GET ${one}`, { ...options, params: { project_id, session_id } })

  return {
    prompts: prompts(http),
    asks: asks(http),
    connectors: sessionConnectors(http),
    runtime: sessionRuntimes(http),
    create: async (project_id, input = {}, options = {}) => {
      const answer = await post(project_id, input, options)
      return 'command_id' in answer ? awaitSession(get, project_id, answer.session_id, options) : answer
    },
    queue: (project_id, input = {}, options = {}) => post(project_id, input, options, 'respond-async'),
    list: (project_id, query = {}, options = {}) =>
      listing(async (cursor) => {
        const path = requestPath(base, { project_id }, { ...query, cursor })
        const answer = await http.send({ method: 'GET', path, ...options })
        return {
          items: parseAnswer<Session[]>(answer),
          next_cursor: answer.response.headers.get('x-next-cursor'),
        }
      }, query.cursor),
    get,
    update: (project_id, session_id, body, options = {}) =>
      http.call<typeof routes.updateSession>(`PATCH ${one}`, {
        ...options,
        params: { project_id, session_id },
        body,
      }),
    delete: (project_id, session_id, options = {}) =>
      http.call<typeof routes.deleteSession>(`DELETE ${one}`, {
        ...options,
        params: { project_id, session_id },
      }),
    stop: (project_id, session_id, options = {}) =>
      http.call<typeof routes.stopSession>(`POST ${one}/stop`, {
        ...options,
        params: { project_id, session_id },
      }),
    start: (project_id, session_id, options = {}) =>
      http.call<typeof routes.startSession>(`POST ${one}/start`, {
        ...options,
        params: { project_id, session_id },
      }),
    restart: (project_id, session_id, options = {}) =>
      http.call<typeof routes.restartSession>(`POST ${one}/restart`, {
        ...options,
        params: { project_id, session_id },
      }),
    refresh: (project_id, session_id, options = {}) =>
      http.call<typeof routes.refreshSession>(`POST ${one}/refresh`, {
        ...options,
        params: { project_id, session_id },
      }),
    abort: async (project_id, session_id, options = {}) => {
      await http.call<typeof routes.abortSession>(`POST ${one}/abort`, {
        ...options,
        params: { project_id, session_id },
      })
    },
    previewTicket: (project_id, session_id, body, options = {}) =>
      http.call<typeof previewTickets.createPreviewTicket>(`POST ${one}/preview-tickets`, {
        ...options,
        params: { project_id, session_id },
        body,
      }),
    prompt: (project_id, session_id, body, { idempotency_key, ...options } = {}) =>
      http.call<typeof sessionPrompts.promptSession>(`POST ${one}/prompts`, {
        ...options,
        params: { project_id, session_id },
        headers: keyHeader(idempotency_key),
        body,
      }),
    events: async (project_id, session_id, query = {}, options = {}) => {
      const path = requestPath(`${one}/events`, { project_id, session_id }, query)
      return parseAnswer<SessionEvents>(await http.send({ method: 'GET', path, ...options }))
    },
    stream: (project_id, session_id, options = {}) =>
      sessionStream(http, requestPath(`${one}/events`, { project_id, session_id }), options),
    summaries: (project_id, query = {}, options = {}) =>
      http.call<typeof sessionSummaries.listSessionSummaries>(
        'GET /v1/projects/{project_id}/session-summaries',
        { ...options, params: { project_id }, query },
      ),
    diff: (project_id, session_id, query = {}, options = {}) =>
      http.call<typeof sessionSummaries.getSessionDiff>(`GET ${one}/diff`, {
        ...options,
        params: { project_id, session_id },
        query,
      }),
    transcript: (project_id, session_id, options = {}) =>
      http.call<typeof sessionLog.getSessionTranscript>(`GET ${one}/transcript`, {
        ...options,
        params: { project_id, session_id },
      }),
  }
}

function keyHeader(idempotency_key: string | undefined): Record<string, string> {
  return idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key }
}
