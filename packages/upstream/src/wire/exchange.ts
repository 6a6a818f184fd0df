import { prepared } from '../auth/auth.ts'
import {
  type CallOptions,
  type Target,
  type UpstreamOutcome,
  UpstreamRefusal,
  type Wire,
  type WireRequest,
} from '../shapes.ts'
import { type HttpData, httpData } from './answer.ts'
import { layeredHeaders } from './headers.ts'
import { upstreamLimits } from './limits.ts'
import { readBytes } from './read-bytes.ts'
import { redactor, type Redactor } from './redact.ts'
import { troubleOf } from './trouble.ts'

/** The way to services, with what signatures take from the outside. */
export interface Upstream {
  readonly wire: Wire
  readonly now: () => Date
  readonly nonce: () => string
}

/** A request before the connector's headers and credential are on it. */
export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | null
}

export interface Read {
  readonly data: unknown
  readonly truncated: boolean
  /** Why this answer is a failure although its status is none. */
  readonly failed?: string
}

type Shape = (answer: {
  readonly http: HttpData
  readonly truncated: boolean
  readonly whole: boolean
}) => Read

const asIs: Shape = ({ http, truncated, whole }) => ({ data: http, truncated: truncated || !whole })

/**
 * One call of a service: what `make` asks for, with the headers and the credential of the connector, answered within the
 * limits. `UpstreamRefusal` of `make` ends in an outcome that was not sent; `beforeSend` may throw, which is passed on.
 */
export async function exchange(
  upstream: Upstream,
  target: Target,
  make: () => Asked | Promise<Asked>,
  options: CallOptions,
  shape: Shape = asIs,
): Promise<UpstreamOutcome> {
  const redact = redactor(target.credential)
  let request: WireRequest
  try {
    request = await requestOf(upstream, target, await make(), options.idempotency_key)
  } catch (error) {
    if (!(error instanceof UpstreamRefusal)) throw error
    return { ...unsent, ok: false, reason: error.reason, message: redact.text(error.message) }
  }
  return send(upstream.wire, request, { ...options, redact, shape })
}

const unsent = { sent: false, upstream_status: null, bytes_out: 0, bytes_in: 0 } as const

/** The request as it goes out. Throws `UpstreamRefusal` where the connection is made for another origin. */
export async function requestOf(
  upstream: Pick<Upstream, 'now' | 'nonce'>,
  target: Pick<Target, 'connector' | 'credential' | 'origin'>,
  { method, url, headers = {}, body = null }: Asked,
  idempotencyKey: string | null,
): Promise<WireRequest> {
  const { connector } = target
  const keyHeader = idempotencyKey === null ? null : connector.idempotency_header
  const layers = layeredHeaders(
    ['connector_unusable', { 'user-agent': 'svc' }],
    ['invalid_arguments', headers],
    ['connector_unusable', keyHeader === null ? {} : { [keyHeader]: idempotencyKey ?? '' }],
    ['connector_unusable', connector.headers],
  )
  return signed(upstream, target, { method, url: new URL(url), headers: layers, body })
}

/** The request with the credential on it. Throws `UpstreamRefusal` where the connection is made for another origin. */
export function signed(
  upstream: Pick<Upstream, 'now' | 'nonce'>,
  { connector, credential, origin = null }: Pick<Target, 'connector' | 'credential' | 'origin'>,
  request: WireRequest,
): Promise<WireRequest> {
  if (origin !== null && origin !== request.url.origin)
    throw new UpstreamRefusal(
      'connector_changed',
      `The connection was made for ${origin}, and the connector now sends to ${request.url.origin}: connect it again.`,
    )
  const { auth } = connector
  return prepared(request, { auth, credential, now: upstream.now(), nonce: upstream.nonce() })
}

interface Sending extends Pick<CallOptions, 'signal' | 'beforeSend'> {
  readonly redact: Redactor
  readonly shape: Shape
}

async function send(
  wire: Wire,
  request: WireRequest,
  { signal, beforeSend, redact, shape }: Sending,
): Promise<UpstreamOutcome> {
  const { host } = request.url
  const bytes_out = request.body?.length ?? 0
  const late = () =>
    ({ ...troubleOf(signal.reason, { host, begun: false, signal }), ...unsent, ok: false }) as const
  if (signal.aborted) return late()
  await beforeSend()
  if (signal.aborted) return late()

  let answer: Response
  try {
    answer = await wire(request, signal)
  } catch (error) {
    const trouble = troubleOf(error, { host, begun: true, signal })
    return {
      ...trouble,
      ok: false,
      upstream_status: null,
      bytes_out: trouble.sent ? bytes_out : 0,
      bytes_in: 0,
    }
  }
  const upstream_status = answer.status
  const ended = { ok: false, sent: true, upstream_status, bytes_out, bytes_in: 0 } as const
  if (isRedirect(answer)) {
    await answer.body?.cancel().catch(() => undefined)
    const message = redact.text(
      `${host} answered ${upstream_status}, a redirect, which is not followed: name the address that it leads to${whither(answer, request.url)}.`,
    )
    return { ...ended, reason: 'redirect_refused', message }
  }

  const failed = upstream_status >= 400
  const says = `${host} answered ${upstream_status}`
  let read: Awaited<ReturnType<typeof readBytes>>
  try {
    read = await readBytes(answer, failed ? upstreamLimits.answer_bytes : upstreamLimits.read_bytes)
  } catch (error) {
    if (failed) return { ...ended, reason: 'upstream_error', message: `${says}, and broke off.` }
    return { ...troubleOf(error, { host, begun: true, signal }), ...ended, reason: 'outcome_unknown' }
  }
  const bytes_in = read.bytes.length
  if (!read.whole && !failed) {
    const max = upstreamLimits.read_bytes / 1024 / 1024
    const message = `${says} with more than ${max} MiB: it acted, and its answer was not read to the end. Ask for less at once.`
    return { ...ended, bytes_in, reason: 'response_too_large', message }
  }
  const { data: http, truncated } = httpData(answer, read.bytes, redact)
  const shaped = shape({ http, truncated, whole: read.whole })
  if (failed || shaped.failed !== undefined) {
    const message = shaped.failed ?? `${says}: see its answer in \`data\`.`
    return { ...ended, bytes_in, reason: 'upstream_error', message, data: shaped.data }
  }
  return { ok: true, data: shaped.data, truncated: shaped.truncated, upstream_status, bytes_out, bytes_in }
}

/** 304 answers a condition that the request set. */
function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400 && status !== 304
}

/** Without the query, which may hold what the request proved itself with. */
function whither({ headers }: Response, base: URL): string {
  const location = headers.get('location') ?? ''
  if (location === '' || !URL.canParse(location, base.href)) return ''
  const { origin, pathname } = new URL(location, base.href)
  return ` (${origin}${pathname})`
}
