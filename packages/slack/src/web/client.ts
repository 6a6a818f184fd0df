import { type FetchFunction, LogLevel, WebClient, type WebClientOptions } from '@slack/web-api'
import { readAtMost } from '@svc/channel'
import { type Dispatcher, fetch } from 'undici'
import { channelError, rateLimited } from './errors.ts'

/** The API of a workspace, and the connections to it, which go to addresses that were checked. */
export interface SlackApi {
  readonly token: string
  readonly api_url: string
  readonly wire: Dispatcher
}

/** Calls the Web API once. Throws errors of the seam. */
export type Call = <Answer>(
  signal: AbortSignal,
  ask: (client: WebClient) => Promise<Answer>,
) => Promise<Answer>

export const defaultApiUrl = 'https://slack.com/api/'

const timeoutMs = 20_000
const maxBytes = 8 * 1024 * 1024

const silent: NonNullable<WebClientOptions['logger']> = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
}

/** Slack's own client over the given connections: without its retries, its pauses and its log. */
export function callsOf({ token, api_url, wire }: SlackApi): Call {
  return async (signal, ask) => {
    // The client takes no signal for a call; the fetch of a client of its own does.
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const client = new WebClient(token, {
      slackApiUrl: api_url,
      fetch: guarded(wire, limit),
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      logger: silent,
    })
    try {
      return await ask(client)
    } catch (error) {
      signal.throwIfAborted()
      throw channelError(error)
    }
  }
}

function guarded(wire: Dispatcher, signal: AbortSignal): FetchFunction {
  return async (url, { method = 'POST', headers = {}, body = '' } = {}) => {
    const init = { method, headers, body: String(body), redirect: 'error', signal, dispatcher: wire } as const
    const answer = await fetch(url, init)
    const bytes = await readAtMost(answer.body, maxBytes, () => new Error('The answer is too long'))
    const { ok, status, statusText } = answer
    if (status === 429) throw rateLimited(answer.headers.get('retry-after'))
    const text = () => Buffer.from(bytes).toString('utf8')
    return {
      ok,
      status,
      statusText,
      url: answer.url,
      headers: answer.headers,
      arrayBuffer: async () => new Uint8Array(bytes).buffer,
      json: async () => JSON.parse(text()),
      text: async () => text(),
    }
  }
}
