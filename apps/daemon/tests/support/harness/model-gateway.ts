import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import { publishNamed } from '../../../../gateway/src/index.ts'
import { startGateway } from '../../../../gateway/src/serve.ts'
import { blockingBudget, priceOf } from '../../../../gateway/tests/support/blocking-budget.ts'
import { testGateway } from '../../../../gateway/tests/support/gateway.ts'
import { listen } from '../listen.ts'

/** A request as it came to the gateway's door. */
export interface DoorRequest {
  readonly path: string
  /** Every header that can hold a key, by its name. */
  readonly keys: Readonly<Record<string, string>>
}

export interface ModelGateway {
  /** The address and the key that a session is given. */
  readonly environment: Readonly<Record<string, string>>
  readonly key: string
  readonly requests: readonly DoorRequest[]
  /** Whatever is asked from here on costs more than is left. */
  useUp(): Promise<void>
  close(): Promise<void>
}

const keyHeaders = [
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'cookie',
  'proxy-authorization',
]

/** The platform's own gateway before a scripted model, which it asks in the one dialect that the model has. */
export async function startModelGateway(
  host: string,
  upstream: { readonly base_url: string; readonly models: readonly string[] },
): Promise<ModelGateway> {
  const platform = await testGateway()
  const named = [
    {
      slug: 'scripted',
      kind: 'openai_compatible' as const,
      ...{ base_url: upstream.base_url, models: [...upstream.models] },
      ...{ api_key_env: 'SCRIPTED_KEY', api_key: 'key-of-the-operator' },
    },
  ]
  await publishNamed(platform.base.db, { named, upstream: null, now: new Date() })
  const running = await startGateway({ ...platform.base, upstream: null, named }, { host, port: 0 })
  const requests: DoorRequest[] = []
  const door = await listen(
    createServer((asked, answer) => {
      requests.push({ path: asked.url ?? '', keys: keysOf(asked.headers) })
      pass(asked, answer, { host, port: running.port })
    }),
    host,
  )
  return {
    environment: {
      SVC_LLM_BASE_URL: `http://${host}:${door.port}/v1/llm`,
      SVC_LLM_API_KEY: platform.key,
    },
    key: platform.key,
    requests,
    useUp: async () => {
      const { db } = platform.base
      for (const model of upstream.models) await priceOf(db, { scope: 'operator' }, `scripted/${model}`)
      const { project_id } = await db.selectFrom('projects').select('project_id').executeTakeFirstOrThrow()
      await blockingBudget(db, project_id, 1)
    },
    close: async () => {
      await door.close()
      await running.close(AbortSignal.abort())
      await platform.close()
    },
  }
}

function keysOf(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    keyHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
}

function pass(asked: IncomingMessage, answer: ServerResponse, to: { host: string; port: number }): void {
  const { method, url: path, headers } = asked
  const onward = request({ ...to, method, path, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers)
    answered.pipe(answer)
  })
  onward.on('error', () => answer.destroy())
  // An agent that goes away ends its call at the model too.
  answer.on('close', () => onward.destroy())
  asked.pipe(onward)
}
