import type { ConnectorAction, JsonObject, Reason } from '@svc/connector'
import type { Connector } from '@svc/manifest'

/** A request as a provider makes it: `fetch` of a guarded client, whose answer is read as a stream. */
export interface WireRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** null is no body; bytes are sent as they are, so that a signature over them holds. */
  readonly body: Uint8Array | null
  /** A stream of events between calls: it ends by its signal, not by being silent or long. */
  readonly stays_open?: boolean
  /** PEM, for mutual TLS. */
  readonly client_certificate?: {
    readonly certificate: string
    readonly private_key: string
    readonly passphrase?: string
    readonly ca?: string
  }
}

/** The one door to addresses: names are resolved, checked and pinned behind it, and no redirect is followed. */
export type Wire = (request: WireRequest, signal: AbortSignal) => Promise<Response>

/** A connector with what its requests prove themselves with. Nothing of it is written anywhere. */
export interface Target {
  readonly connector: Connector
  /** Fields of the auth type, `access_token` of OAuth, or null where nothing is needed. */
  readonly credential: Readonly<Record<string, string>> | null
  /** The name of this connection at an aggregator or a computer, null elsewhere. */
  readonly external_ref: string | null
  /**
   * The origin that the connection was made for (`Provider.origin` at that moment). A request with its credential to
   * another is not sent: `connector_changed`. Left out where there is none to compare with.
   */
  readonly origin?: string | null
  /** The connection, or the project where none is needed: a session with a service serves one. Without it none is kept. */
  readonly session_scope?: string
  /** A file of the repository at its default branch, null where there is none. */
  readonly readFile: (path: string) => Promise<Uint8Array | null>
}

export interface CallOptions {
  /** Ended by the limit of the call, or by the caller. */
  readonly signal: AbortSignal
  /** Awaited before the first byte of the call itself leaves: whatever fails before it was not sent. */
  readonly beforeSend: () => Promise<void>
  /** One key for all tries of this call: into `idempotency_header` and into what aggregators and computers have for it. */
  readonly idempotency_key: string
  readonly onProgress?: (text: string) => void
}

/** The end of a call. Values of the credential are `[redacted]` in it. */
export type UpstreamOutcome =
  | {
      readonly ok: true
      readonly data: unknown
      readonly truncated: boolean
      readonly upstream_status: number | null
      readonly bytes_out: number
      readonly bytes_in: number
    }
  | {
      readonly ok: false
      readonly reason: Reason
      readonly message: string
      /** Whether the service may have acted on it. */
      readonly sent: boolean
      readonly data?: unknown
      readonly upstream_status: number | null
      readonly bytes_out: number
      readonly bytes_in: number
    }

/** The catalogue could not be read, or a connection does not work: said to a person. */
export class UpstreamRefusal extends Error {
  override readonly name = 'UpstreamRefusal'
  readonly reason: Reason

  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** One kind of service. Throws `UpstreamRefusal` where no catalogue or no connection can be had. */
export interface Provider {
  /** Every action that the service has, in its own order. */
  readonly list: (target: Target, signal: AbortSignal) => Promise<readonly ConnectorAction[]>
  readonly call: (
    target: Target,
    action: Pick<ConnectorAction, 'action' | 'binding' | 'risk'>,
    args: JsonObject,
    options: CallOptions,
  ) => Promise<UpstreamOutcome>
  /** Scheme, host and port that a credential is made for; null where the platform does not send to an address. */
  readonly origin: (target: Pick<Target, 'connector' | 'readFile'>) => Promise<string | null>
}
