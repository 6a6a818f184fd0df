import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { drainable, type Logger } from '@svc/boot'
import { computerAt, signatureHeader, timeHeader } from '@svc/connectors'
import { answerRequest, isSigned, type LocalExecutor } from '@svc/connectors/executor'

export interface DoorOptions {
  readonly executor: Omit<LocalExecutor, 'execute' | 'sweep' | 'forget' | 'touch' | 'measure'>
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
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const { url: path = '' } = req
    const connection = computerAt(path)
    const signed = { method: req.method ?? '', path, body: '', time: timeOf(req) }
    if (connection !== null && isSigned(options.keys, signed, textOf(req, signatureHeader), options.now()))
      return options.executor.accept(connection, { request: req, socket, head })
    options.log.warn({ path }, 'a WebSocket without the signature of the API was refused')
    socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n')
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
  const answer = await answerRequest(
    {
      ...options,
      onFailure: (error) => options.log.error({ err: error, path }, 'A request of the API failed'),
    },
    { method, path, body, time: timeOf(req) },
    textOf(req, signatureHeader),
  )
  if (answer.kind === 'unavailable') options.log.warn({ path, reason: answer.message }, 'refused')
  const status = { done: 200, refused: 422, upstream: 422, failed: 500, unavailable: 401 }[answer.kind]
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

const textOf = (req: IncomingMessage, name: string) => String(req.headers[name] ?? '')
const timeOf = (req: IncomingMessage) => Number(textOf(req, timeHeader) || Number.NaN)

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
