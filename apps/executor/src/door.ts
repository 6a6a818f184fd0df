import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { drainable, type Logger } from '@svc/boot'
import { type Executor, signatureHeader, timeHeader } from '@svc/connectors'
import { answerRequest } from '@svc/connectors/executor'

export interface DoorOptions {
  readonly executor: Executor
  /** Keys of which one signed each request. */
  readonly keys: readonly Buffer[]
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly log: Logger
  readonly now: () => Date
}

export interface Door {
  readonly port: number
  /** Takes no more requests and waits for those that run, until `force`. */
  close(force?: AbortSignal): Promise<void>
}

const maxBodyBytes = 16 * 1024
const drainMs = 7_000

/** The internal door of an executor: each request of the API is signed, and names rows alone. */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const server = createServer((req, res) => {
    serve(options, req, res).catch((error: unknown) => {
      options.log.warn({ err: error }, 'A request of the API was not answered')
      res.destroy()
    })
  })
  const drain = drainable(server)
  server.listen(options.port, options.host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: (force) => drain(drainMs, force),
  }
}

async function serve(options: DoorOptions, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const body = await bodyOf(req)
  if (body === undefined) return void res.writeHead(413).end()
  const { method = '', url: path = '' } = req
  const text = (name: string) => String(req.headers[name] ?? '')
  const answer = await answerRequest(
    {
      ...options,
      onFailure: (error) => options.log.error({ err: error, path }, 'A request of the API failed'),
    },
    { method, path, body, time: Number(text(timeHeader) || Number.NaN) },
    text(signatureHeader),
  )
  if (answer.kind === 'unavailable') options.log.warn({ path, reason: answer.message }, 'refused')
  const status = { done: 200, refused: 422, upstream: 422, failed: 500, unavailable: 401 }[answer.kind]
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

/** Undefined when it is too long. */
async function bodyOf(req: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
