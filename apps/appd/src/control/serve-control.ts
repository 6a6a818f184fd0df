import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Program, ProgramState } from '@svc/sandbox/guest'
import { putFiles } from '../files/put.ts'
import { takeFiles } from '../files/take.ts'
import type { Lines } from '../lines/lines.ts'
import type { Supervisor } from '../program/supervisor.ts'
import { Refusal } from '../refusal.ts'

const maxProgramBytes = 4 * 1024 * 1024
const maxWaitMs = 60_000
const maxLines = 2_000
const maxGraceMs = 10 * 60_000

export interface ControlParts {
  readonly root: string
  readonly lines: Lines
  readonly supervisor: Supervisor
  readonly visitors: () => Pick<ProgramState, 'connections' | 'last_byte_at'>
}

type Answer = (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => Promise<void>

/** The control of the program, for connections whose token was checked. It listens nowhere by itself. */
export function serveControl(parts: ControlParts): Server {
  const answers = answersOf(parts)
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control')
    const answer = answers[`${request.method} ${pathname}`]
    const work = answer === undefined ? unknownPath() : answer(request, response, searchParams)
    work.catch((error: unknown) => {
      request.resume()
      refuse(response, error)
    })
  })
  // Archives take their time, and a control connection rests between two questions.
  server.requestTimeout = 0
  server.keepAliveTimeout = 0
  return server
}

function answersOf({ root, lines, supervisor, visitors }: ControlParts): Readonly<Record<string, Answer>> {
  let putting: Promise<unknown> = Promise.resolve()
  const state = (): ProgramState => ({ ...supervisor.facts(), ...visitors(), last_line: lines.last() })
  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    const done = putting.then(work)
    putting = done.catch(() => undefined)
    return done
  }
  return {
    'PUT /files': (request, response) =>
      inTurn(async () => {
        if (supervisor.facts().phase !== 'empty')
          throw new Refusal(409, 'Files are put before the program is started.')
        // Read to its end also where it is refused, so that the refusal arrives.
        await putFiles(root, Readable.from(request.iterator({ destroyOnReturn: false })))
        response.writeHead(204).end()
      }),
    'GET /files': async (_request, response, query) => {
      const { archive, leftOut } = await takeFiles(root, query.get('folder') ?? '')
      response.writeHead(200, { 'content-type': 'application/x-tar' })
      await pipeline(archive, response)
      const paths = await leftOut
      if (paths.length > 0)
        lines.say(
          `left out, as they are no files or lead out of the folder: ${paths.slice(0, 10).join(', ')}${paths.length > 10 ? ` and ${paths.length - 10} more` : ''}`,
        )
    },
    'POST /program': async (request, response) => {
      const program = await bodyOf(request)
      await inTurn(() => supervisor.start(program))
      json(response, state())
    },
    'GET /state': async (_request, response) => json(response, state()),
    'GET /lines': async (request, response, query) => {
      const after = numberIn(query, 'after', 0, Number.MAX_SAFE_INTEGER)
      const limit = numberIn(query, 'limit', maxLines, maxLines)
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      const wait_ms = numberIn(query, 'wait_ms', 0, maxWaitMs)
      if (lines.last() <= after && wait_ms > 0)
        await lines.next(AbortSignal.any([gone.signal, AbortSignal.timeout(wait_ms)]))
      json(response, lines.after(after, limit))
    },
    'POST /drain': async (_request, response, query) => {
      await supervisor.drain(numberIn(query, 'grace_ms', 0, maxGraceMs))
      response.writeHead(204).end()
    },
  }
}

async function unknownPath(): Promise<void> {
  throw new Refusal(404, 'The control of a program has no such path.')
}

/** Named boundary: the platform, which holds the token, wrote it from the same type. */
async function bodyOf(request: IncomingMessage): Promise<Program> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxProgramBytes) throw new Refusal(413, 'The program has too many variables.')
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as Program
  } catch {
    throw new Refusal(400, 'The program cannot be read.')
  }
}

function numberIn(query: URLSearchParams, name: string, fallback: number, max: number): number {
  const text = query.get(name)
  if (text === null) return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw new Refusal(400, `${name} is a whole number from 0.`)
  return Math.min(value, max)
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const status = error instanceof Refusal ? error.status : 500
  const message = error instanceof Error ? error.message : String(error)
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ message }))
}
