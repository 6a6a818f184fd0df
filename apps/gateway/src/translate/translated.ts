import {
  type Dialect,
  dialects,
  eventText,
  type HubDialect,
  providerAddress,
  providerAuthorization,
} from '@svc/models'
import { request } from 'undici'
import type { Attempt } from '../call/attempt.ts'
import {
  answerTooLong,
  headersOf,
  maxAnswerBytes,
  readBeginning,
  type UpstreamAnswer,
} from '../call/upstream-answer.ts'
import { demoParts, demoResult } from './demo.ts'
import { vendorModel } from './vendors.ts'

/** The server side of a dialect's translation; null for one that is never translated. */
export function hubOf({ name }: Pick<Dialect, 'name'>): HubDialect | null {
  return name === 'embeddings' ? null : dialects[name].hub
}

/** The answer of a provider of another dialect, in the caller's own. */
export async function translated(
  given: Attempt,
  hub: HubDialect,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  const { candidate, body, output_limit, now, id } = given
  const { provider, name } = candidate
  const read = hub.read(body, provider.kind)
  const own = provider.models?.find((model) => model.id === name.id)?.max_output_tokens
  const maxOutputTokens =
    output_limit ?? read.maxOutputTokens ?? (provider.kind === 'anthropic' ? own : undefined)
  const options = {
    ...read,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    abortSignal: signal,
  }
  const isStream = body.value['stream'] === true
  const head = {
    id,
    model: typeof body.value['model'] === 'string' ? body.value['model'] : `${name.provider}/${name.id}`,
    created: Math.floor(now.getTime() / 1_000),
    // What the caller did not ask for is withheld from it, as of any provider.
    asks_usage: true,
  }
  const answer = (content: UpstreamAnswer['body'], said: UpstreamAnswer['headers']): UpstreamAnswer => ({
    candidate,
    status: 200,
    headers: withType(said, isStream ? 'text/event-stream' : 'application/json'),
    body: content,
  })
  if (provider.kind === 'demo') {
    const result = demoResult(options, now)
    const none = headersOf({})
    return isStream
      ? answer(written(hub, head, demoParts(result)), none)
      : answer(whole(hub.write(result, head)), none)
  }
  const door = vendorDoor(given, signal)
  const model = vendorModel(provider.kind, { baseURL: providerAddress(provider), fetch: door.fetch }, name.id)
  try {
    if (isStream) {
      const { stream } = await model.doStream(options)
      return answer(written(hub, head, stream), door.headers())
    }
    return answer(whole(hub.write(await model.doGenerate(options), head)), door.headers())
  } catch (error) {
    const refused = door.refused()
    if (refused === null) throw error
    return { candidate, ...refused }
  }
}

/** The way of a vendor's client to its provider: the pool, the key, and the provider's own words of a refusal. */
function vendorDoor({ candidate, secret, pools, headers: asked }: Attempt, signal: AbortSignal) {
  let headers: UpstreamAnswer['headers'] = headersOf({})
  let refused: Pick<UpstreamAnswer, 'status' | 'headers' | 'body'> | null = null
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const said = Object.fromEntries(new Headers(init?.headers))
    const { authorization: _, 'x-api-key': __, ...kept } = said
    const agent = asked.get('user-agent')
    const answer = await request(String(url), {
      method: 'POST',
      headers: {
        ...kept,
        ...(agent === null ? {} : { 'user-agent': agent }),
        'accept-encoding': 'identity',
        ...providerAuthorization(candidate.provider, secret),
      },
      body: String(init?.body ?? ''),
      dispatcher: pools.of(candidate.provider),
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    headers = headersOf(answer.headers)
    if (answer.statusCode < 200 || answer.statusCode >= 300) {
      const text = await readBeginning(answer.body)
      refused = { status: answer.statusCode, headers, body: whole(text) }
      throw new Error('The provider refused')
    }
    return new Response(streamOf(answer.body), {
      status: answer.statusCode,
      headers: { 'content-type': headers.get('content-type') ?? '' },
    })
  }
  return { fetch, headers: () => headers, refused: () => refused }
}

/** The events of an answer, as the dialect writes them. */
async function* written(
  hub: HubDialect,
  head: Parameters<HubDialect['stream']>[0],
  parts:
    | AsyncIterable<Parameters<ReturnType<HubDialect['stream']>['write']>[0]>
    | Iterable<Parameters<ReturnType<HubDialect['stream']>['write']>[0]>,
): AsyncGenerator<Uint8Array> {
  const writer = hub.stream(head)
  for await (const part of parts) {
    if (part.type === 'error')
      throw part.error instanceof Error
        ? part.error
        : new Error('The provider ended its answer with an error')
    const events = writer.write(part)
    if (events.length > 0) yield Buffer.from(events.map(eventText).join(''))
  }
}

async function* whole(value: unknown): AsyncGenerator<Uint8Array> {
  yield Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
}

function withType(headers: UpstreamAnswer['headers'], type: string): UpstreamAnswer['headers'] {
  return { get: (name) => (name === 'content-type' ? type : headers.get(name)) }
}

function streamOf(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  let size = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next()
      if (next.done === true) return controller.close()
      size += next.value.byteLength
      if (size > maxAnswerBytes) throw answerTooLong()
      controller.enqueue(next.value)
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}
