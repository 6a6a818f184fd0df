import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { clientAddress, type IsProxy, noProxy } from '@svc/platform/env'
import { isOwnPath } from './access/own-paths.ts'
import { type Forwarded, forwardRequest, hasBody } from './forward/forward-request.ts'
import { forwardUpgrade, type Upgraded } from './forward/forward-upgrade.ts'
import type { VisitFacts } from './forward/upstream-headers.ts'
import { hold } from './hold.ts'
import { type FindPlace, hostOf, type Place, type Refused, type Visitor } from './places/place.ts'
import type { Pools } from './pools.ts'
import { answerStarting, refuse, type Refusal, refuseUpgrade } from './refuse.ts'
import { createSlots } from './slots.ts'
import { answerStatic } from './static/answer-static.ts'

const unreachable: Refusal = {
  code: 'app_unreachable',
  message: 'The app broke off before it answered. Try again; its log says what it did.',
}

const filesAlone: Refusal = {
  code: 'invalid_request',
  message: 'This app is made of files, which are asked for by HTTP alone.',
}

const ownByHttp: Refusal = {
  code: 'invalid_request',
  message: 'Paths below /.svc/ are the platform’s, and are asked for by HTTP alone.',
}

const unclear: Refusal = {
  code: 'invalid_request',
  message:
    'The body of this request is framed in a way that can be read differently. Send it with Content-Length, or chunked.',
}

const noPath: Refusal = {
  code: 'invalid_request',
  message: 'The target of this request is no path of this host. Ask for a path, from / on.',
}

const starting: Refusal = {
  code: 'app_starting',
  message: 'The app is starting. Try again in a moment.',
  details: { retry_after: 2 },
}

const crowded: Refusal = {
  code: 'app_concurrency_limit',
  message: 'The app answers as many requests as it may at a time. Try again in a moment.',
  details: { retry_after: 1 },
}

/** A program that does not listen at this moment is asked again for so long: nothing reached it. */
const reachMs = 10_000

/** Answers what is the proxy's own at the host of an app; false for what is the app's. */
export type AnswerOwn = (
  request: IncomingMessage,
  response: ServerResponse,
  visit: VisitFacts & { readonly host: string },
) => Promise<boolean>

export interface Visits {
  request(request: IncomingMessage, response: ServerResponse): Promise<void>
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
}

export interface VisitsParts {
  readonly find: FindPlace
  readonly pools: Pools
  /** Absent where every path is the app's. */
  readonly answerOwn?: AnswerOwn | undefined
  readonly scheme?: 'http' | 'https' | undefined
  /** Of the proxies before this one, whose word of a visitor's address is believed; none when absent. */
  readonly is_proxy?: IsProxy | undefined
  /** Time for which a visitor is held while an app starts. */
  readonly wake_ms?: number | undefined
  /** Time without a byte after which an app is taken for stuck. */
  readonly silence_ms?: number | undefined
  /** Notified of each answer of an app, once it ended; of another protocol, once the app answered. */
  readonly onAnswer?: ((answer: CountedAnswer) => void) | undefined
  /** Notified of what went to a visitor by another protocol, once that ended. */
  readonly onBytes?: ((app_id: string, bytes: number) => void) | undefined
}

export interface CountedAnswer {
  readonly app_id: string
  readonly status: number
  readonly ms: number
  readonly bytes: number
}

/** Leads each visit to what its host stands for at that moment. */
export function createVisits({
  find,
  pools,
  answerOwn,
  scheme = 'http',
  is_proxy = noProxy,
  wake_ms = 60_000,
  silence_ms,
  onAnswer,
  onBytes,
}: VisitsParts): Visits {
  const factsOf = (request: IncomingMessage): VisitFacts => ({
    address: clientAddress(request, is_proxy) ?? '',
    ...{ proto: scheme, request_id: randomUUID() },
  })
  const slots = createSlots()
  /** The refusal of one request too many, or that its visitor left; else the slot is given back with the answer. */
  const requireSlot = async ({ limit }: Exclude<Place, Refused>, answer: ServerResponse | Duplex) => {
    if (limit === undefined) return null
    const end = await slots.take(limit.app_id, limit.max)
    if (end === null) return crowded
    if (!answer.destroyed) {
      answer.once('close', end)
      return null
    }
    // It closed while it waited, and never does again.
    end()
    return 'left'
  }
  /** The instance of a place; null once the visitor was answered otherwise, or left. */
  const instanceOf = async (
    place: Exclude<Place, Refused | { readonly kind: 'site' }>,
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
  ) => {
    if (place.kind === 'instance') return place.instance
    const held = await hold(place.sleeper, request, response, wake_ms)
    if (held.kind === 'instance') return held.instance
    if (held.kind === 'refused') refuse(request, response, held.refusal, id)
    if (held.kind === 'page') answerStarting(response, id)
    return null
  }
  const count = (
    { limit }: Exclude<Place, Refused>,
    { socket }: IncomingMessage,
    response: ServerResponse,
  ) => {
    if (limit === undefined || onAnswer === undefined) return
    const [begun, written] = [performance.now(), socket.bytesWritten]
    response.once('close', () =>
      onAnswer({
        ...{ app_id: limit.app_id, status: response.statusCode, ms: performance.now() - begun },
        bytes: Math.max(0, socket.bytesWritten - written),
      }),
    )
  }
  const countUpgrade = async (
    { limit }: Exclude<Place, Refused>,
    socket: Duplex & { readonly bytesWritten?: number },
    { status, ended }: Extract<Upgraded, { readonly how: 'answered' }>,
    ms: number,
  ) => {
    if (limit === undefined) return
    const { app_id } = limit
    onAnswer?.({ app_id, status, ms, bytes: 0 })
    await ended
    onBytes?.(app_id, socket.bytesWritten ?? 0)
  }
  return {
    async request(request, response) {
      const facts = factsOf(request)
      const unfit = unfitness(request)
      if (unfit !== null) {
        // Where its body ends may be unknown, and so where the next request begins.
        response.shouldKeepAlive = false
        return refuse(request, response, unfit, facts.request_id)
      }
      const visitor = visitorOf(request)
      if (await answerOwn?.(request, response, { ...facts, host: visitor.host })) return
      const until = performance.now() + reachMs
      for (let tries = 0; ; tries += 1) {
        const place = await find(visitor)
        if (place.kind === 'refused') return refuse(request, response, place, facts.request_id)
        if (tries === 0) {
          count(place, request, response)
          const full = await requireSlot(place, response)
          if (full === 'left') return
          if (full !== null) return refuse(request, response, full, facts.request_id)
        }
        if (place.kind === 'site') return answerStatic(place.site, request, response, facts.request_id)
        const instance = await instanceOf(place, request, response, facts.request_id)
        if (instance === null) return
        instance.onVisit?.()
        const how = await forwardRequest(pools.of(instance).pool, request, response, facts, silence_ms)
        instance.onVisit?.()
        if (how === 'answered') return
        const waits = how === 'unsent' && instance.onLost !== undefined && performance.now() < until
        if (!waits && (tries > 0 || !mayRepeat(request, how)))
          return refuse(request, response, unreachable, facts.request_id)
        if (waits) await instance.onLost?.()
      }
    },
    async upgrade(request, socket, head) {
      const facts = factsOf(request)
      // A visitor who left is no fault of the proxy.
      socket.on('error', () => undefined)
      const unfit = unfitness(request)
      if (unfit !== null) return refuseUpgrade(request, socket, unfit, facts.request_id)
      if (answerOwn !== undefined && isOwnPath(request.url))
        return refuseUpgrade(request, socket, ownByHttp, facts.request_id)
      const [begun, until] = [performance.now(), performance.now() + reachMs]
      for (let tries = 0; ; tries += 1) {
        const place = await find(visitorOf(request))
        if (place.kind === 'refused') return refuseUpgrade(request, socket, place, facts.request_id)
        if (place.kind === 'site') return refuseUpgrade(request, socket, filesAlone, facts.request_id)
        const full = tries === 0 ? await requireSlot(place, socket) : null
        if (full === 'left') return
        if (full !== null) return refuseUpgrade(request, socket, full, facts.request_id)
        const held =
          place.kind === 'instance'
            ? ({ kind: 'instance', instance: place.instance } as const)
            : await hold(place.sleeper, request, socket, wake_ms)
        if (held.kind === 'left') return
        if (held.kind !== 'instance')
          return refuseUpgrade(
            request,
            socket,
            held.kind === 'page' ? starting : held.refusal,
            facts.request_id,
          )
        const { instance } = held
        instance.onVisit?.()
        const upgraded = await forwardUpgrade(pools.of(instance).front, request, { socket, head }, facts)
        if (upgraded.how === 'answered')
          return countUpgrade(place, socket, upgraded, performance.now() - begun)
        if (socket.destroyed) return
        const waits = upgraded.how === 'unsent' && instance.onLost !== undefined && performance.now() < until
        if (!waits && tries > 0) return refuseUpgrade(request, socket, unreachable, facts.request_id)
        if (waits) await instance.onLost?.()
      }
    },
  }
}

function visitorOf({ headers, url = '/' }: IncomingMessage): Visitor {
  return { headers, url, host: hostOf(headers.host) }
}

/** An app that was not reached did nothing; one that was may have, unless it was only asked to show something. */
function mayRepeat(request: IncomingMessage, how: Forwarded): boolean {
  return how === 'unsent' || (['GET', 'HEAD'].includes(request.method ?? '') && !hasBody(request))
}

/** Why a request is not led to any app; null for one that is. */
function unfitness(request: IncomingMessage): Refusal | null {
  if (!clearlyFramed(request)) return unclear
  return request.url?.startsWith('/') ? null : noPath
}

/** Node's parser reads what an app's may read differently: encodings of a body beside `chunked`. */
function clearlyFramed({ headers }: IncomingMessage): boolean {
  return (headers['transfer-encoding'] ?? 'chunked').toLowerCase() === 'chunked'
}
