import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bytes,
  chunked,
  type Header,
  type RawAnswer,
  type RawRequest,
  sendRaw,
  sized,
  wire,
} from '../support/raw-http.ts'
import { hexOf, hookedProject, hookSecret, standardOf } from '../support/webhooks.ts'
import { openWorld } from '../support/world.ts'

/** Requests of the fuzz; `SVC_LONG_TESTS=1` for the long form. */
const runs = process.env['SVC_LONG_TESTS'] ? 3000 : 100
const maxBytes = 1024 * 1024
const hooks = { hook: {}, picky: { filter: { 'body.keep': 'yes' } }, bare: {} }

const { platform, api } = await openWorld()

interface SentDelivery extends RawRequest {
  readonly delivery_id: string
  /** The statuses that it promises; null leaves the sender without an answer. */
  readonly expected: readonly (number | null)[]
  readonly said: string
}

/** A long body in few words, for a person who reads which one failed. */
interface Long {
  readonly begin: string
  readonly times: number
  readonly middle: string
  readonly end: string
}

const long = (begin: string, max: number | fc.Arbitrary<number>, middle = '', end = '') =>
  (typeof max === 'number' ? fc.constant(max) : max).map((times): Long => ({ begin, times, middle, end }))

const documents: fc.Arbitrary<Buffer | Long> = fc.oneof(
  fc.constant(bytes('')),
  fc.json().map(bytes),
  fc.json().map((text) => bytes(`\ufeff${text}`)),
  fc.constant(bytes('{"keep":"yes"}')),
  fc.constant(bytes('{"a":"\\u0000","\\ud800":{"b":"\\udfff"},"__proto__":{"b":1}}')),
  fc.uint8Array({ maxLength: 300 }).map((raw) => Buffer.from(raw)),
  long('[', fc.nat(60_000), '', ']'),
  long('{"a":', fc.nat(60_000), '1', '}'),
  long('"', fc.integer({ min: 60_000, max: 70_000 })),
)
const bodies = fc.oneof(
  { weight: 40, arbitrary: documents },
  { weight: 1, arbitrary: fc.oneof(long(' ', maxBytes), long('x', maxBytes + 1)) },
)

function bytesOf(body: Buffer | Long): Buffer {
  if (Buffer.isBuffer(body)) return body
  const { begin, times, middle, end } = body
  return bytes(begin.repeat(times) + middle + end.repeat(times))
}

type Proof = (body: Uint8Array, id: string) => readonly Header[]
/** The headers of Standard Webhooks for that many seconds ago, after a signature that no key made. */
const standard = (body: Uint8Array, id: string, ago: number): readonly Header[] => {
  const at = Math.floor(Date.now() / 1000) - ago
  return [
    ['webhook-id', id],
    ['webhook-timestamp', String(at)],
    ['webhook-signature', `v1,AAAA ${standardOf(id, at, body)}`],
  ]
}
const good: Readonly<Record<string, Proof>> = {
  token: () => [['x-svc-TOKEN', hookSecret]],
  bearer: () => [['AUTHORIZATION', `bEARER  ${hookSecret}`]],
  basic: () => [['authorization', `Basic ${Buffer.from(`any:${hookSecret}`).toString('base64')}`]],
  hex: (body) => [['X-SVC-Signature', hexOf(body)]],
  'hex in capitals': (body) => [['x-hub-signature-256', `sha256=${hexOf(body).toUpperCase()}`]],
  standard: (body, id) => standard(body, id, 0),
  'a good signature beside a wrong token': (body) => [
    ['X-Svc-Signature', hexOf(body)],
    ['X-Svc-Token', 'other'],
  ],
}
const bad: Readonly<Record<string, Proof>> = {
  none: () => [],
  'a wrong token': () => [['X-Svc-Token', 'other']],
  'an empty token': () => [['X-Svc-Token', '']],
  'a token twice': () => [
    ['X-Svc-Token', hookSecret],
    ['X-Svc-Token', hookSecret],
  ],
  'a wrong signature beside a good token': () => [
    ['X-Svc-Signature', '0'.repeat(64)],
    ['X-Svc-Token', hookSecret],
  ],
  'an empty signature': () => [
    ['X-Hub-Signature-256', ''],
    ['X-Svc-Token', hookSecret],
  ],
  'a signature twice': (body) => [
    ['X-Svc-Signature', hexOf(body)],
    ['X-Svc-Signature', hexOf(body)],
  ],
  'no hex': () => [['X-Svc-Signature', `sha256=${'g'.repeat(64)}`]],
  'hex that is too long': (body) => [['X-Svc-Signature', `${hexOf(body)}0`]],
  'one kind good, the first wrong': (body) => [
    ['X-Hub-Signature-256', hexOf(body)],
    ['X-Svc-Signature', hexOf(bytes('other'))],
  ],
  'an old signature': (body, id) => standard(body, id, 3600),
}

const unsigned: ReadonlySet<string> = new Set(['none', 'a wrong token', 'an empty token', 'a token twice'])

const shapes = fc.record({
  method: fc.oneof(
    { weight: 12, arbitrary: fc.constant('POST') },
    fc.constantFrom('GET', 'PUT', 'PATCH', 'DELETE', 'HEAD'),
  ),
  slug: fc.oneof(
    { weight: 8, arbitrary: fc.constant('hook') },
    fc.constantFrom('picky', 'bare', 'nowhere', 'hook?x=1', 'NO', '-', 'h%6Fok', 'a'.repeat(128)),
  ),
  body: bodies,
  proof: fc.oneof(fc.constantFrom(...Object.keys(good)), fc.constantFrom(...Object.keys(bad))),
  framing: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('sized', 'chunked') },
    fc.constantFrom('short', 'long', 'both'),
  ),
  cut: fc.nat(1000),
  odd: fc.constantFrom<Header[]>(
    [],
    [['Content-Type', 'text/plain; charset=utf-16']],
    [['X-Odd', '\xff\xfe']],
    [['Expect', 'tea']],
    [['Expect', '100-continue']],
  ),
})
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never

let sent = 0
function requestOf(project_id: string, shape: Shape): SentDelivery {
  const { method, slug, proof, framing, cut } = shape
  const body = method === 'GET' || method === 'HEAD' ? bytes('') : bytesOf(shape.body)
  const delivery_id = `fuzz-${(sent += 1)}`
  const at = Math.min(cut, body.length)
  const parts = [body.subarray(0, at), body.subarray(at)].filter((part) => part.length > 0)
  const proofOf = good[proof] ?? bad[proof]
  const framed: Readonly<Record<string, Pick<SentDelivery, 'headers' | 'chunks' | 'ends'>>> = {
    sized: { headers: [sized(body)], chunks: parts },
    chunked: { headers: [chunked], chunks: wire(parts) },
    short: { headers: [['Content-Length', String(body.length + 10)]], chunks: parts, ends: true },
    long: { headers: [sized(body)], chunks: [...parts, bytes('GARBAGE')] },
    both: { headers: [sized(body), chunked], chunks: wire(parts) },
  }
  const { headers = [], chunks = [], ends } = framed[framing] ?? {}
  return {
    line: `${method} /v1/webhooks/projects/${project_id}/${slug}`,
    headers: [
      ['X-Svc-Delivery', delivery_id],
      ...(proofOf?.(body, delivery_id) ?? []),
      ...shape.odd,
      ...headers,
    ],
    chunks,
    ends: ends ?? false,
    delivery_id,
    expected: expectedOf({ ...shape, body }),
    said: `${method} ${slug} ${framing} ${proof} ${body.length}`,
  }
}

type Sending = Omit<Shape, 'body'> & { readonly body: Buffer }

function expectedOf({ method, slug, body, proof, framing, odd }: Sending): readonly (number | null)[] {
  if (framing === 'both') return [400]
  if (odd.some(([, value]) => value === 'tea')) return [417, ...(framing === 'short' ? [400, null] : [])]
  const status = statusFor({ method, slug, body, proof })
  // Node answers the rest of the line itself, mostly before the handler answers.
  if (framing === 'long') return [status, 400, null]
  // The sender leaves in the middle: a handler that needs no body may have answered by then.
  return framing === 'short'
    ? [400, null, ...(status === 404 || status === 405 || status === 409 ? [status] : [])]
    : [status]
}

function statusFor({
  method,
  slug,
  body,
  proof,
}: Pick<Sending, 'method' | 'slug' | 'body' | 'proof'>): number {
  if (method !== 'POST') return 405
  if (slug === 'NO' || slug === '-') return 400
  if (slug === 'nowhere' || slug.length === 128) return 404
  if (slug === 'bare') return 409
  const isLarge = body.length > maxBytes
  // A signature over a body that was not read to its end cannot be judged.
  if (bad[proof] !== undefined) return isLarge && !unsigned.has(proof) ? 413 : 401
  if (isLarge) return 413
  return slug === 'picky' && !body.toString().includes('"keep":"yes"') ? 200 : 202
}

test(`whatever ${runs} senders send is answered as it is documented, and kept exactly when that is said`, async () => {
  const project_id = await hookedProject(platform, hooks)
  platform.lines.length = 0
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      const request = requestOf(project_id, shape)
      const answer: RawAnswer | null = await sendRaw(api.port, request)
      expect(request.expected, request.said).toContain(answer?.status ?? null)
      const kept = await platform.parts.db
        .selectFrom('trigger_deliveries')
        .select(['verdict', 'body_bytes'])
        .where('project_id', '=', project_id)
        .where('delivery_id', '=', request.delivery_id)
        .execute()
      // A request that was whole before the rest came may be kept, though its sender hears of nothing but the rest.
      if (shape.framing === 'long' && !/^x-request-id:/im.test(answer?.head ?? '')) return
      const verdict = { 202: 'accepted', 200: 'skipped' }[answer?.status ?? 0]
      const body_bytes = bytesOf(shape.body).length
      expect(kept, request.said).toEqual(verdict === undefined ? [] : [{ verdict, body_bytes }])
    }),
    { numRuns: runs },
  )
  expect(platform.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
}, 600_000)
