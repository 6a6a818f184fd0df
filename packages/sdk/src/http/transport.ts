import { ConnectionError } from '../errors.ts'
import type { ClientOptions, FetchAnswer, RequestOptions } from '../options.ts'
import { apiErrorFrom } from './api-error.ts'
import { apiOrigin, type PathParams, type QueryValues, requestPath } from './api-url.ts'
import { quietly, watchAttempt } from './debug.ts'
import { retryDelay } from './retry.ts'
import type { AnswerOf, BodyOf, OperationOf, ParamsOf, QueryOf } from './route.ts'
import { sleep } from './sleep.ts'

export interface CallInput<Route> extends RequestOptions {
  readonly params?: ParamsOf<Route> & PathParams
  readonly query?: QueryOf<Route> & QueryValues
  readonly body?: BodyOf<Route>
  /** In the place of `body`, for a route that takes one of several parts. */
  readonly form?: FormData | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly isAnswer?: HttpRequest['isAnswer']
}

export interface HttpRequest extends RequestOptions {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly json?: unknown
  /** In the place of `json`; its content type is its own. */
  readonly form?: FormData | undefined
  /** Whether the body of a refusal is an answer all the same. */
  readonly isAnswer?: ((text: string) => boolean) | undefined
}

export interface Answer {
  readonly response: FetchAnswer
  readonly text: string
}

/** One request to a route of the contract: checked against it by the compiler, retried where that is safe. */
export interface Http {
  /** The parsed JSON answer. */
  call<Route>(operation: OperationOf<Route>, input: CallInput<Route>): Promise<AnswerOf<Route>>
  /** The answer with its headers, for routes that say something in them. */
  send(request: HttpRequest): Promise<Answer>
  /** One attempt with an unread body, for streams. */
  open(request: HttpRequest): Promise<FetchAnswer>
}

const defaultTimeoutMs = 30_000

/** The contract gives the body's type; the server is trusted to keep it. */
export function parseAnswer<T>(answer: Answer): T {
  try {
    return JSON.parse(answer.text === '' ? 'null' : answer.text) as T
  } catch (cause) {
    const url = answer.response.url.replace(/\?.*$/, '')
    throw new ConnectionError(
      url,
      'not_api',
      `${url} did not answer with JSON; is it the address of the API?`,
      { cause },
    )
  }
}

export function createHttp(options: ClientOptions): Http {
  const origin = apiOrigin(options.api_url)
  const timeoutMs = options.timeout_ms ?? defaultTimeoutMs
  const fetcher = options.fetch ?? ((url, init) => fetch(url, init))
  const base: Record<string, string> = { accept: 'application/json' }
  if (options.token) base['authorization'] = `Bearer ${oneWord(options.token)}`
  if (options.page_key) base['x-svc-page'] = oneWord(options.page_key)
  if (options.user_agent) base['user-agent'] = options.user_agent

  function request(input: HttpRequest, signal?: AbortSignal): Promise<FetchAnswer> {
    const { method, path, headers, json, form, request_id } = input
    const body = form ?? (json === undefined ? undefined : JSON.stringify(json))
    return fetcher(`${origin}${path}`, {
      method,
      headers: {
        ...base,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(request_id === undefined ? {} : { 'x-request-id': request_id }),
        ...headers,
      },
      // A followed redirect turns a POST into a GET, so a redirect is an error instead.
      redirect: 'error',
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    })
  }

  const emit = quietly(options.debug ?? (() => undefined))
  const urlOf = ({ path }: HttpRequest) => `${origin}${path}`.replace(/\?.*$/, '')

  function connectionError(input: HttpRequest, cause: unknown, timedOut: boolean): ConnectionError {
    const url = urlOf(input)
    return timedOut
      ? new ConnectionError(url, 'timeout', `No answer from ${url} in time`, { cause })
      : new ConnectionError(url, 'unreachable', `No answer from ${url}: ${causeOf(cause)}`, { cause })
  }

  async function attempt(input: HttpRequest, number: number): Promise<Answer> {
    const watch = watchAttempt(options.debug, urlOf(input), input, number)
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = input.signal ? AbortSignal.any([input.signal, timeout]) : timeout
    try {
      const response = await request(input, signal)
      const text = await response.text()
      watch.answered(response.status, response.headers.get('x-request-id'))
      return { response, text }
    } catch (cause) {
      if (input.signal?.aborted) throw input.signal.reason
      const error = connectionError(input, cause, timeout.aborted)
      watch.failed(error)
      throw error
    }
  }

  async function send(input: HttpRequest): Promise<Answer> {
    let lostAnswer = false
    for (let retries = 0; ; retries++) {
      let failure: unknown
      let delay: number | null
      try {
        const answer = await attempt(input, retries + 1)
        if (answer.response.ok || input.isAnswer?.(answer.text)) return answer
        const error = apiErrorFrom(answer.response, answer.text, Date.now())
        // The attempt whose answer was lost had already deleted it.
        if (lostAnswer && input.method === 'DELETE' && error.status === 404) return { ...answer, text: '' }
        failure = error
        delay = retryDelay(
          input.method,
          { kind: 'answered', status: error.status, retry_after: error.retry_after },
          retries,
        )
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error
        lostAnswer = true
        failure = error
        delay = retryDelay(input.method, { kind: 'no_response' }, retries)
      }
      if (delay === null) throw failure
      emit({ kind: 'retry', method: input.method, url: urlOf(input), attempt: retries + 1, delay_ms: delay })
      await sleep(delay, input.signal)
    }
  }

  return {
    send,
    async call(operation, input) {
      const [method = '', template = ''] = operation.split(' ')
      const path = requestPath(template, input.params, input.query)
      const { headers, body: json, form, signal, request_id, isAnswer } = input
      return parseAnswer(await send({ method, path, headers, json, form, signal, request_id, isAnswer }))
    },
    async open(input) {
      const watch = watchAttempt(options.debug, urlOf(input), input, 1)
      // Bounds the wait for the headers and for the words of a refusal; a body lasts as long as it lasts.
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), timeoutMs)
      const signal = input.signal ? AbortSignal.any([input.signal, late.signal]) : late.signal
      try {
        const response = await request(input, signal).catch((cause: unknown) => {
          if (input.signal?.aborted) throw input.signal.reason
          const error = connectionError(input, cause, late.signal.aborted)
          watch.failed(error)
          throw error
        })
        watch.answered(response.status, response.headers.get('x-request-id'))
        if (response.ok) return response
        throw apiErrorFrom(response, await response.text().catch(() => ''), Date.now())
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/**
 * A token as it is read from a file, with a newline after it. A text that is no token never reaches `fetch`, whose
 * error would repeat all of it.
 */
function oneWord(token: string): string {
  const word = token.trim()
  if (/[^\x21-\x7e]/.test(word)) throw new TypeError('token must be one word of visible ASCII characters')
  return word
}

/** fetch says "fetch failed" and keeps the reason in its cause. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : null
  return cause.message || code || cause.name
}
