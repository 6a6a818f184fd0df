import { ChannelRefused, MessageRefused, readAtMost } from '@svc/channel'
import { type Dispatcher, fetch, type Response } from 'undici'
import type { z } from 'zod'
import { answerError, channelError } from './errors.ts'

/** The API of a homeserver, and the connections to it, which go to addresses that were checked. */
export interface MatrixApi {
  readonly access_token: string
  readonly homeserver_url: string
  readonly wire: Dispatcher
}

export interface Asked {
  readonly method?: 'GET' | 'PUT' | 'POST'
  /** `client` when not given. */
  readonly base?: 'client' | 'media'
  /** Below `/_matrix/<base>/`; made by `path`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** A body that is no JSON. */
  readonly bytes?: { readonly type: string; readonly content: Uint8Array }
  readonly timeout_ms?: number
  readonly max_bytes?: number
}

/** Makes one request, and reads its answer. Throws errors of the seam. */
export type Call = <T>(signal: AbortSignal, asked: Asked, answer: z.ZodType<T>) => Promise<T>

const timeoutMs = 20_000
const maxBytes = 8 * 1024 * 1024

/** A path whose ids are of users and rooms, which hold signs of any kind. */
export const path = (parts: TemplateStringsArray, ...ids: readonly string[]): string =>
  String.raw({ raw: parts }, ...ids.map(encodeURIComponent))

export function callsOf(api: MatrixApi): Call {
  return async (signal, { max_bytes = maxBytes, ...asked }, answer) => {
    try {
      const bytes = await requestBytes(
        api,
        signal,
        asked,
        max_bytes,
        () => new MessageRefused('The answer is too long'),
      )
      const parsed = answer.safeParse(parsedJson(bytes))
      if (!parsed.success)
        throw new Error('The API did not answer as that of Matrix', { cause: parsed.error })
      return parsed.data
    } catch (error) {
      signal.throwIfAborted()
      throw channelError(error)
    }
  }
}

/** The body of an answer of success. A redirect is not followed. */
export async function requestBytes(
  { access_token, homeserver_url, wire }: MatrixApi,
  signal: AbortSignal,
  { method = 'GET', base = 'client', path, query, body, bytes, timeout_ms = timeoutMs }: Asked,
  max_bytes: number,
  tooLong: () => Error,
): Promise<Uint8Array> {
  const sent =
    bytes ??
    (body === undefined ? null : { type: 'application/json', content: Buffer.from(JSON.stringify(body)) })
  const answer = await fetch(addressOf(homeserver_url, `${base}/${path}`, query), {
    ...{ method, redirect: 'error', dispatcher: waiting(wire, timeout_ms) },
    headers: {
      authorization: `Bearer ${access_token}`,
      ...(sent === null ? {} : { 'content-type': sent.type }),
    },
    ...(sent === null ? {} : { body: sent.content }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]),
  })
  if (answer.ok) return readAtMost(answer.body, max_bytes, tooLong)
  throw answerError({
    status: answer.status,
    body: await refusalBody(answer),
    retry_after: answer.headers.get('retry-after'),
  })
}

async function refusalBody({ body }: Response): Promise<unknown> {
  return parsedJson(await readAtMost(body, maxBytes, () => new Error('The answer is too long')))
}

/** A poll is answered late: until then only the limit of the request itself counts. */
function waiting(wire: Dispatcher, timeout_ms: number): Dispatcher {
  return wire.compose(
    (dispatch) => (options, handler) =>
      dispatch({ ...options, headersTimeout: timeout_ms, bodyTimeout: timeout_ms }, handler),
  )
}

function addressOf(homeserver_url: string, path: string, query: Asked['query']): URL {
  const base = `${homeserver_url.replace(/\/+$/, '')}/_matrix/${path}`
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol))
    throw new ChannelRefused('unreachable', 'The address of the homeserver is no URL of http or https')
  const url = new URL(base)
  url.search = new URLSearchParams(query).toString()
  return url
}

function parsedJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return null
  }
}
