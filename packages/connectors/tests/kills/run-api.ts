import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Principal } from '@svc/access'
import { createDatabase } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { callConnector, type ConnectorContext, decideApproval, remoteExecutor } from '../../src/index.ts'
import { executorKey } from '../../src/executor/remote/signature.ts'
import { childParts, type ChildSettings } from './child-parts.ts'
import { executorQueries, heldExecutor } from './held-executor.ts'
import { heldDatabase, type Reached, reach, withLine } from './held-lines.ts'

export interface ApiSettings extends ChildSettings {
  /** Null where this process is the executor as well. */
  readonly executor_url: string | null
}

/** A request of the test to this API, and the line at which it is to stop. */
export interface ApiRequest {
  readonly session_id: string
  readonly line: string
  readonly principal: Principal
  readonly asked:
    | { readonly verb: 'call'; readonly input: Parameters<typeof callConnector>[1] }
    | { readonly verb: 'decide'; readonly input: Parameters<typeof decideApproval>[1] }
}

/** A word of the test, which is answered once it holds. */
export interface ApiMessage {
  readonly now: string
}

/** An API in a process of its own, over HTTP, whose calls stop at the lines that they are given. */
const [given = '{}'] = process.argv.slice(2)
const settings = JSON.parse(given) as ApiSettings
let at = new Date(settings.now)
const db = heldDatabase(createDatabase(settings.connection_string, { max: 40 }), [
  // Line 3 of a direct call: its row is written, and no executor was asked.
  { begins: 'insert into connector_calls', after: 'inserted' },
  // Line 8: the answer is taken.
  {
    begins: 'update "connector_calls" set "delivery" = $1, "delivery_owed_at"',
    before: 'owed',
    after: 'inline',
  },
  // Its bytes are out, and that is noted.
  {
    begins: "update connector_calls set delivery = 'inline', delivered_at",
    before: 'written',
    after: 'delivered',
  },
  ...(settings.executor_url === null ? executorQueries : []),
])
const parts = await childParts(settings, { db, now: () => at, name: 'api' })
const executor =
  settings.executor_url === null
    ? heldExecutor(parts)
    : remoteExecutor({ url: settings.executor_url, key: executorKey(settings.master_key) })

const perform = (ctx: ConnectorContext, { asked }: ApiRequest) =>
  asked.verb === 'call' ? callConnector(ctx, asked.input) : decideApproval(ctx, asked.input)

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = JSON.parse(await text(request)) as ApiRequest
  await withLine(asked, async () => {
    const ctx: ConnectorContext = {
      ...parts,
      ...{ principal: asked.principal, executor },
      when_answered: (then) =>
        response.once(
          'finish',
          AsyncLocalStorage.bind(() => void then()),
        ),
    }
    const outcome = await perform(ctx, asked).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      return { code: error.code }
    })
    const body = Buffer.from(JSON.stringify(outcome))
    const half = body.length >> 1
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.write(body.subarray(0, half))
    await reach('half')
    response.end(body.subarray(half))
  })
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', ({ now }: ApiMessage) => {
  at = new Date(now)
  process.send?.({ reached: now } satisfies Reached)
})
process.on('disconnect', () => process.exit(1))
