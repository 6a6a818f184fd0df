import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { modeOf } from '@svc/app'
import { appVisits, type AppPlace, type Db } from '@svc/db'
import { verifyPassword } from '@svc/vault/password'
import { noApp } from '../places/place.ts'
import { refuse, type Refusal } from '../refuse.ts'
import { pageOfPassword, wantsPage } from '../pages.ts'
import { shownTokens, visitorCookie } from './visitor-cookie.ts'
import { hashOf, type WhoVisits } from './who-visits.ts'

const visitSeconds = 8 * 3600
const maxFormBytes = 16 * 1024
const tries = { max: 10, window_ms: 60_000 }

export interface OwnPathParts {
  readonly db: Db
  readonly scheme: string
  readonly now: () => number
  readonly who: WhoVisits
}

export interface OwnVisit {
  readonly place: AppPlace | undefined
  readonly path: string
  readonly address: string
  readonly id: string
}

export type OwnPaths = (request: IncomingMessage, response: ServerResponse, visit: OwnVisit) => Promise<void>

/** The paths of an app's host that are the proxy's own: the ways in, and the way out. */
export function createOwnPaths({ db, scheme, now, who }: OwnPathParts): OwnPaths {
  const counted = attempts(now)

  const letIn = async (
    response: ServerResponse,
    { channel_id, policy_revision }: AppPlace,
    viewer: string | null,
    to: string,
  ) => {
    const token = randomBytes(32).toString('base64url')
    const at = now()
    const expires_at = new Date(at + visitSeconds * 1000)
    const visit = { channel_id, viewer, policy_revision, created_at: new Date(at), expires_at }
    await appVisits.addVisit(db, { ...visit, token_hash: hashOf(token) })
    response.writeHead(303, {
      ...plain,
      location: to,
      'set-cookie': visitorCookie(scheme, token, visitSeconds),
    })
    response.end()
  }
  const enter = async (request: IncomingMessage, response: ServerResponse, place: AppPlace, id: string) => {
    const code = new URL(request.url ?? '/', 'http://app').searchParams.get('code') ?? ''
    const { channel_id } = place
    const taken = await appVisits.takeExchange(db, { code_hash: hashOf(code), channel_id }, new Date(now()))
    if (taken === undefined || taken.policy_revision !== place.policy_revision)
      return refuse(request, response, usedUp, id)
    await letIn(response, place, taken.viewer, taken.return_path)
  }
  const password = async (
    request: IncomingMessage,
    response: ServerResponse,
    place: AppPlace,
    { address, id }: OwnVisit,
  ) => {
    if (modeOf(place.access_mode, place.kind) !== 'password') return refuse(request, response, noPassword, id)
    const wait = counted(`${place.app_id} ${address}`)
    if (wait !== null) return refuse(request, response, { ...tooOften, details: { retry_after: wait } }, id)
    const form = await formOf(request)
    if (form === null) return refuse(request, response, tooLong, id)
    const to = returnPath(form.get('return_path'))
    if (await verifyPassword(place.password_hash, form.get('password') ?? ''))
      return letIn(response, place, null, to)
    if (!wantsPage(request)) return refuse(request, response, wrong, id)
    const body = pageOfPassword({ return_path: to, wrong: true })
    response.writeHead(401, { ...plain, 'content-type': 'text/html; charset=utf-8', 'x-request-id': id })
    response.end(body)
  }
  const leave = async (request: IncomingMessage, response: ServerResponse) => {
    for (const token of shownTokens(request.headers, scheme)) {
      await appVisits.endVisit(db, hashOf(token))
      who.forget(token)
    }
    response.writeHead(303, { ...plain, location: '/', 'set-cookie': visitorCookie(scheme, '', 0) }).end()
  }
  return async (request, response, visit) => {
    const { place, path, id } = visit
    if (place === undefined) return refuse(request, response, noApp, id)
    const asked = `${request.method} ${path}`
    if (asked === 'GET /.svc/enter') return enter(request, response, place, id)
    if (asked === 'POST /.svc/password') return password(request, response, place, visit)
    if (asked === 'POST /.svc/leave') return leave(request, response)
    refuse(request, response, unknown, id)
  }
}

/** Whether a path is the platform's own at the host of an app, and not the app's. */
export const isOwnPath = (url = '/'): boolean => url.startsWith('/.svc/')

const plain = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

const usedUp: Refusal = {
  code: 'app_auth_required',
  message: 'This link was opened before, or is too old. Open the app again to get a new one.',
}
const noPassword: Refusal = { code: 'app_auth_required', message: 'This app takes no password.' }
const wrong: Refusal = { code: 'app_auth_required', message: 'The password is wrong.' }
const tooOften: Refusal = {
  code: 'rate_limit_exceeded',
  message: 'Too many passwords from this address. Try again in a minute.',
}
const tooLong: Refusal = { code: 'payload_too_large', message: 'The form is too long.' }
const unknown: Refusal = { code: 'not_found', message: 'Nothing of the platform’s is at this path.' }

/** A path of this host and nothing else. */
function returnPath(asked: string | null): string {
  return asked !== null && /^\/(?![/\\])[^\\\s]*$/.test(asked) ? asked : '/'
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxFormBytes) return null
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}

/** Counts a try; the seconds to wait, once there were too many. */
function attempts(now: () => number) {
  const counts = new Map<string, { count: number; until: number }>()
  return (key: string): number | null => {
    const at = now()
    if (counts.size > 10_000) for (const [other, { until }] of counts) if (until <= at) counts.delete(other)
    const one = counts.get(key)
    const current = one === undefined || one.until <= at ? { count: 0, until: at + tries.window_ms } : one
    current.count += 1
    counts.set(key, current)
    return current.count > tries.max ? Math.ceil((current.until - at) / 1000) : null
  }
}
