import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createDatabase } from '@svc/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '@svc/boot'
import { type ApiParts, createApi } from '../../src/index.ts'
import { type TestPlatform, testPlatform } from '../support/platform.ts'
import { type Header, sendRaw, sized } from '../support/raw-http.ts'
import { serve } from '../support/serve.ts'
import { hexOf, hookedProject, hookSecret } from '../support/webhooks.ts'

/** The receiver on Node's own request, and the framework's route behind it, which answers where no socket is. */
interface Sides {
  readonly ports: readonly [receiver: number, framework: number]
  close(): Promise<void>
}

const samples: Readonly<Record<string, string>>[] = []
let platform: TestPlatform
let sides: Sides
beforeAll(async () => {
  platform = await testPlatform({
    rate_limits: { per_address: 1_000_000, per_token: null },
    metrics: { ...createMetrics('api'), observe: (_, labels) => void samples.push(labels) },
  })
  sides = await bothSides(platform.parts)
})
afterAll(async () => {
  await sides?.close()
  await platform?.close()
})

async function bothSides(parts: ApiParts): Promise<Sides> {
  const receiver = await serve({ parts })
  const listener = getRequestListener(createApi(parts).app.fetch, { overrideGlobalObjects: false })
  const framework = createServer({ keepAliveTimeout: 75_000 }, (req, res) => void listener(req, res))
  framework.listen(0, '127.0.0.1')
  await once(framework, 'listening')
  const address = framework.address()
  return {
    ports: [receiver.port, typeof address === 'object' && address !== null ? address.port : 0],
    async close() {
      framework.closeAllConnections()
      framework.close()
      await receiver.close()
    },
  }
}

const hooks = { hook: {}, picky: { filter: { 'body.keep': 'yes' } }, bare: {} }

interface Case {
  readonly slug?: string
  readonly headers?: readonly Header[]
  readonly body?: Uint8Array
  readonly path?: string
  /** The length of the end of the body that the sender holds back. */
  readonly unsent?: number
}

const json = Buffer.from('{"keep":"yes","a":{"b":1}}')
const huge = Buffer.alloc(1024 * 1024 + 1, 'x')
const token: Header = ['X-Svc-Token', hookSecret]
const cases: Readonly<Record<string, Case>> = {
  'a delivery that fires': { headers: [token, ['Content-Type', 'application/json'], ['User-Agent', 'u']] },
  'signed, with headers twice': {
    headers: [
      ['X-Hub-Signature-256', `sha256=${hexOf(json)}`],
      ['X-Twice', '1'],
      ['x-twice', '2'],
      ['Cookie', 'a=1'],
      ['Cookie', 'b=2'],
    ],
  },
  'a signature twice': {
    headers: [
      ['X-Svc-Signature', hexOf(json)],
      ['X-Svc-Signature', hexOf(json)],
    ],
  },
  'a bearer token twice': {
    headers: [
      ['Authorization', `Bearer ${hookSecret}`],
      ['Authorization', 'Bearer other'],
    ],
  },
  'no body, of a kind': { body: Buffer.alloc(0), headers: [token, ['Content-Type', 'application/json']] },
  'no body with headers beyond what is kept': {
    body: Buffer.alloc(0),
    headers: [token, ['X-Last', 'a'.repeat(9_000)], ['X-First', 'b'.repeat(6_000)]],
  },
  'no proof': {},
  'a wrong proof': { headers: [['X-Svc-Token', 'other']] },
  'a body that is too large': { body: huge, headers: [token] },
  'a body that is too large from nobody': { body: huge },
  'what the filter leaves out': { slug: 'picky', body: Buffer.from('{}'), headers: [token] },
  'no such hook': { slug: 'nowhere', headers: [token] },
  'a secret that is not set': { slug: 'bare', headers: [token] },
  'from a page of another origin': { headers: [token, ['Origin', 'https://acme.example']] },
  'refused to a page of another origin': { headers: [['Origin', 'https://acme.example']] },
  'a query': { path: '?a=1', headers: [token] },
  'a slug in another writing': { slug: '%68ook', headers: [token] },
  'a malformed slug': { slug: 'No', headers: [token] },
}

test.each(Object.entries(cases))('%s is answered, told and kept as by the framework', async (_, one) => {
  expect(await observe(sides.ports[0], one)).toEqual(await observe(sides.ports[1], one))
})

const late = { headers: [token], unsent: 1 }

test.each<[string, number, () => Partial<ApiParts>, Case?]>([
  ['its database is away', 503, () => ({ db: createDatabase('postgres://nobody@127.0.0.1:1/none') })],
  ['it has a defect', 500, () => ({ now: fails })],
  ['its time is up', 503, () => ({ deadline_ms: 50 }), late],
  ['its sender has had its minute', 429, () => ({ rate_limits: { per_address: 0, per_token: null } })],
])('while %s it answers %i as the framework does', async (_, status, changes, one = { headers: [token] }) => {
  const changed = changes()
  const broken = await bothSides({ ...platform.parts, ...changed })
  const [ours, theirs] = [await observe(broken.ports[0], one), await observe(broken.ports[1], one)]
  await broken.close()
  await changed.db?.destroy()
  expect(ours.head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(withoutStacks(ours)).toEqual(withoutStacks(theirs))
})

function fails(): never {
  throw new Error('the clock stands')
}

/** Everything that a sender and an operator see of a request. */
async function observe(
  port: number,
  { slug = 'hook', headers = [], body = json, path = '', unsent = 0 }: Case,
) {
  const project_id = await hookedProject(platform, hooks)
  samples.length = 0
  platform.lines.length = 0
  const answer = await sendRaw(port, {
    line: `POST /v1/webhooks/projects/${project_id}/${slug}${path}`,
    headers: [['X-Request-Id', 'r'], ...headers, sized(body)],
    chunks: [body.subarray(0, body.length - unsent)],
  })
  const kept = await platform.parts.db
    .selectFrom('trigger_deliveries')
    .select(['verdict', 'reason', 'headers', 'body', 'body_bytes'])
    .where('project_id', '=', project_id)
    .execute()
  return {
    head: answer?.head
      .replace(/^Date: .*$/im, '')
      .replace(/(?<=remaining: |reset: |retry-after: )\d+/gi, 'n'),
    body: answer?.body.replaceAll(/"session_id":"[^"]+"|(?<=again in |seconds":)\d+/g, ''),
    kept: kept.map((row) => ({ ...row, body: row.body?.toString('base64') })),
    measured: samples.map(({ method, route, status }) => ({ method, route, status })),
    logged: platform.lines.map((line) =>
      line.replace(/"time":"[^"]+"|"duration_ms":[\d.]+/g, '').replaceAll(project_id, 'p'),
    ),
  }
}

/** The place where an error was thrown depends on the caller. */
function withoutStacks({ logged, ...rest }: Awaited<ReturnType<typeof observe>>) {
  return { ...rest, logged: logged.map((line) => line.replace(/"stack":"(?:[^"\\]|\\.)*"/g, '')) }
}
