import type { HttpBindings } from '@hono/node-server'
import type { Principal } from '@svc/access'
import type { ChannelPlatforms } from '@svc/channels'
import type { ComputerDoor, ConnectorSettings, Executor } from '@svc/connectors'
import type { ServeRequest } from '@svc/git'
import type { IdentityBase, IdentityContext } from '@svc/identity'
import type { AnswerHeaders } from './middleware/answer-headers.ts'
import type { IsProxy } from '@svc/platform/env'
import type { Visit } from './door/visit.ts'
import type { RequestEnd } from './middleware/request-end.ts'

/** Another app that answers below a path of the same origin, such as the model gateway. It authenticates by itself. */
export interface Mount {
  readonly path: string
  readonly fetch: (request: Request) => Response | Promise<Response>
}

/** Everything the API is built from. */
export interface ApiParts extends IdentityBase {
  readonly version: string
  readonly commit: string
  /** True when `/v1/openapi.json` and `/v1/docs` are served. */
  readonly public_docs: boolean
  /** Believe X-Forwarded-Proto and X-Forwarded-Host; only behind a proxy that sets them itself. */
  readonly trust_proxy?: boolean
  /** The proxies whose X-Forwarded-For is believed; none when absent. */
  readonly is_proxy?: IsProxy
  /** Requests a minute that one address or one token may make; as many as they like when absent. */
  readonly rate_limits?: { readonly per_address: number | null; readonly per_token: number | null }
  /** Time that a request may take; the document's limit when absent. */
  readonly deadline_ms?: number
  /** The built pages of the dashboard; there is none when the folder is absent or not built. */
  readonly dashboard_dir?: string
  /** The place of backups that people may ask for; none when absent. */
  readonly backup_target?: string | undefined
  /** Signs what Stripe tells of payments; none are taken when absent. */
  readonly stripe_webhook_secret?: string | undefined
  /** The process that asks other services for connectors; calls of them are refused where there is none. */
  readonly executor?: Executor | undefined
  /** The way of paired computers to it; none can be served when absent. */
  readonly computer_door?: ComputerDoor | undefined
  /** The standard ones when absent. */
  readonly connector_settings?: ConnectorSettings | undefined
  /** The platforms of channels that are reached from here; none when absent. */
  readonly channel_platforms?: ChannelPlatforms | undefined
  /** The time for which an agent's tool waits for the end of a call, and between two notes that it does; the standard ones when absent. */
  readonly tool_wait?: { readonly seconds: number; readonly note_ms: number } | undefined
  readonly mounts?: readonly Mount[]
  /** The size and pace limits of a git client's requests; the defaults of serveGit when absent. */
  readonly git_limits?: Pick<ServeRequest, 'max_push_bytes' | 'pace'>
}

export interface AppEnv {
  /** A request that is made in this process on behalf of another has no connection: it names the client's address. */
  Bindings: Partial<HttpBindings> & { readonly client_address?: string | null }
  Variables: {
    visit: Visit
    /** The headers that the answer will carry, unless it sets them itself. */
    answer_headers: AnswerHeaders
    principal: Principal
    /** The credential that the caller showed: the bearer token, or the cookie of a browser whose page key was right. */
    credential: string
    end: RequestEnd
    ctx: IdentityContext
  }
}
