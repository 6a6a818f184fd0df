import { bearerToken } from '@svc/facts'
import { createHash, timingSafeEqual } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { within } from '@svc/timing'
import type { Metrics } from './metrics/metrics.ts'

/** Throws, or takes too long, when the part it stands for cannot be used. */
export type Check = () => Promise<unknown>

export type InternalAddress = { readonly host: string; readonly port: number } | { readonly socket: string }

export interface InternalServerOptions {
  readonly checks: Readonly<Record<string, Check>>
  readonly metrics: Pick<Metrics, 'render' | 'content_type'>
  /** The bearer token that a reader of the metrics shows; undefined where no stranger reaches this address. */
  readonly metrics_token?: string | undefined
  /** Numbers for a person who asks if it is ready; they decide nothing. */
  readonly figures?: Readonly<Record<string, () => Promise<number>>>
  /** Called with the error of a failed check; the answer only names the check. */
  readonly on_failed_check?: (name: string, error: unknown) => void
  readonly check_ms?: number
}

export interface InternalServer {
  /** The port that was opened, which matters when 0 was asked for. */
  readonly port: number | undefined
  /** From now on /readyz answers 503, so that no new work is sent here; with false it tells the truth again. */
  drain(draining?: boolean): void
  close(): Promise<void>
}

/** Liveness, readiness and metrics, apart from the public address. */
export async function startInternalServer(
  options: InternalServerOptions & InternalAddress,
): Promise<InternalServer> {
  let draining = false
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0]
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answer(response, 405, { status: 'refused' })
    if (path === '/healthz') return answer(response, 200, { status: 'live' })
    if (path === '/readyz') return void ready(response)
    if (path === '/metrics') {
      if (knows(options.metrics_token, request.headers.authorization)) return void metrics(response)
      response.setHeader('www-authenticate', 'Bearer')
      return answer(response, 401, {
        status: 'refused',
        message: 'Metrics need SVC_METRICS_TOKEN as a bearer token',
      })
    }
    answer(response, 404, { status: 'unknown' })
  })

  async function ready(response: ServerResponse): Promise<void> {
    if (draining) return answer(response, 503, { status: 'draining' })
    const failed = await failedChecks(options)
    if (failed.length > 0) return answer(response, 503, { status: 'unready', failed })
    const figures = await figuresOf(options)
    answer(response, 200, { status: 'ready', ...(figures && { figures }) })
  }

  async function metrics(response: ServerResponse): Promise<void> {
    try {
      const text = await options.metrics.render()
      response.writeHead(200, { 'content-type': options.metrics.content_type }).end(text)
    } catch {
      answer(response, 500, { status: 'failed' })
    }
  }

  await listen(server, options)
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : undefined,
    drain: (now = true) => void (draining = now),
    close: async () => {
      draining = true
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Compared by their hashes: neither the length nor the place of a difference shows in the time that it takes. */
function knows(token: string | undefined, authorization: string | undefined): boolean {
  if (token === undefined) return true
  const given = bearerToken(authorization) ?? ''
  const [a, b] = [token, given].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

async function failedChecks({
  checks,
  check_ms = 2_000,
  on_failed_check,
}: InternalServerOptions): Promise<string[]> {
  const failures = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await bounded(check_ms, check())
        return []
      } catch (error) {
        on_failed_check?.(name, error)
        return [name]
      }
    }),
  )
  return failures.flat()
}

/** One that cannot be had is null. */
async function figuresOf({
  figures,
  check_ms = 2_000,
}: InternalServerOptions): Promise<Record<string, number | null> | undefined> {
  if (figures === undefined) return undefined
  const entries = Object.entries(figures).map(async ([name, read]) => {
    return [name, await bounded(check_ms, read()).catch(() => null)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

function bounded<T>(ms: number, work: Promise<T>): Promise<T> {
  return within(ms, work, () => new Error(`No answer within ${ms} ms`))
}

/** A socket that a killed process left behind is replaced. */
async function listen(server: Server, address: InternalAddress): Promise<void> {
  if ('socket' in address && existsSync(address.socket)) rmSync(address.socket)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    const listening = () => {
      server.off('error', reject)
      resolve()
    }
    if ('socket' in address) server.listen(address.socket, listening)
    else server.listen(address.port, address.host, listening)
  })
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
