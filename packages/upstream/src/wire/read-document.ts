import { type Target, UpstreamRefusal, type WireRequest } from '../shapes.ts'
import type { Upstream } from './exchange.ts'
import { upstreamLimits } from './limits.ts'
import { readBytes } from './read-bytes.ts'
import { troubleOf } from './trouble.ts'

/**
 * A document that a connector names: a path in the repository, or an address, which is asked without a credential. Throws
 * `UpstreamRefusal` where it cannot be had or is larger than a document may be.
 */
export async function readDocument(
  upstream: Pick<Upstream, 'wire'>,
  target: Pick<Target, 'readFile'>,
  place: string,
  signal: AbortSignal,
): Promise<Buffer> {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(place)) {
    const file = await target.readFile(place)
    if (file === null)
      throw new UpstreamRefusal(
        'connector_unusable',
        `There is no file ${place} on the default branch: add it, or change \`spec\`.`,
      )
    return within(Buffer.from(file), place)
  }
  if (!URL.canParse(place))
    throw new UpstreamRefusal('connector_unusable', `${place} is no address: change \`spec\`.`)
  const headers = { 'user-agent': 'svc', accept: 'application/json, application/yaml, text/yaml, */*' }
  const request = { method: 'GET', url: new URL(place), headers, body: null }
  return within(await answerTo(upstream, request, signal), place)
}

/** The whole answer to a request that only reads. Throws `UpstreamRefusal` for any end but a success. */
export async function answerTo(
  { wire }: Pick<Upstream, 'wire'>,
  request: WireRequest,
  signal: AbortSignal,
): Promise<Buffer> {
  const { host } = request.url
  try {
    const answer = await wire(request, signal)
    if (answer.status >= 300) {
      await answer.body?.cancel().catch(() => undefined)
      const [reason, hint] =
        answer.status < 400
          ? ([
              'redirect_refused',
              'a redirect, which is not followed: name the address that it leads to',
            ] as const)
          : ([
              'upstream_error',
              'so there is no list of actions: check the address and the connection',
            ] as const)
      throw new UpstreamRefusal(reason, `${host} answered ${answer.status}, ${hint}.`)
    }
    const { bytes, whole } = await readBytes(answer, upstreamLimits.document_bytes)
    if (!whole) throw tooLarge(host)
    return bytes
  } catch (error) {
    if (error instanceof UpstreamRefusal) throw error
    const { reason, message } = troubleOf(error, { host, begun: false, signal })
    throw new UpstreamRefusal(reason, message)
  }
}

function within(bytes: Buffer, place: string): Buffer {
  if (bytes.length > upstreamLimits.document_bytes) throw tooLarge(place)
  return bytes
}

function tooLarge(place: string): UpstreamRefusal {
  const max = upstreamLimits.document_bytes / 1024 / 1024
  return new UpstreamRefusal(
    'connector_unusable',
    `The document of ${place} has more than ${max} MiB: name a smaller one.`,
  )
}
