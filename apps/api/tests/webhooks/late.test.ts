import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestPlatform, testPlatform } from '../support/platform.ts'
import { type RawAnswer, sendRaw, sized } from '../support/raw-http.ts'
import { serve, type ServedApi } from '../support/serve.ts'
import { hexOf, hookedProject } from '../support/webhooks.ts'

let platform: TestPlatform
let api: ServedApi
/** The same with limits for a test in a hurry. */
let hurried: ServedApi
let limited: ServedApi
let project_id: string
beforeAll(async () => {
  platform = await testPlatform()
  api = await serve(platform)
  hurried = await serve({ parts: { ...platform.parts, deadline_ms: 50 } })
  limited = await serve({ parts: { ...platform.parts, rate_limits: { per_address: 1, per_token: null } } })
  project_id = await hookedProject(platform, { hook: {} })
})
afterAll(async () => {
  for (const served of [api, hurried, limited]) await served?.close()
  await platform?.close()
})

const body = Buffer.from('{"a":{"b":1}}')
const send = ({ port }: ServedApi, delivery: string, held = 0): Promise<RawAnswer | null> =>
  sendRaw(port, {
    line: `POST /v1/webhooks/projects/${project_id}/hook`,
    headers: [['X-Svc-Delivery', delivery], ['X-Svc-Signature', hexOf(body)], sized(body)],
    chunks: [body.subarray(0, body.length - held)],
  })

const kept = (delivery_id: string) =>
  platform.parts.db
    .selectFrom('trigger_deliveries')
    .select('verdict')
    .where('project_id', '=', project_id)
    .where('delivery_id', '=', delivery_id)
    .orderBy('received_at')
    .execute()
    .then((rows) => rows.map(({ verdict }) => verdict))

const parsed = (answer: RawAnswer | null): Record<string, unknown> => JSON.parse(answer?.body ?? '{}')

/** True while a write of a delivery waits for the lock. */
async function isWriting(): Promise<boolean> {
  const { rows } =
    await sql`select 1 from pg_locks where not granted and relation = 'trigger_deliveries'::regclass
    and database = (select oid from pg_database where datname = current_database())`.execute(
      platform.parts.db,
    )
  return rows.length > 0
}

/** The answer to a delivery that cannot be written before its time is up; null when its time was up even earlier. */
async function sendToTheSlow(delivery: string, deadline_ms: number): Promise<RawAnswer | null> {
  const slow = await serve({ parts: { ...platform.parts, deadline_ms } })
  try {
    return await platform.parts.db.transaction().execute(async (tx) => {
      await sql`lock table trigger_deliveries in exclusive mode`.execute(tx)
      let answered = false
      const answer = send(slow, delivery).finally(() => (answered = true))
      while (!answered && !(await isWriting())) await sleep(5)
      const writing = !answered
      const said = await answer
      return writing ? said : null
    })
  } finally {
    await slow.close()
  }
}

test('what is kept too slowly is answered 503, kept all the same, and its repeat is told of the first', async () => {
  // A machine that is busy needs the longer ones.
  let delivery = ''
  let late: RawAnswer | null = null
  for (const deadline_ms of [200, 1_000, 5_000, 20_000]) {
    delivery = `slow ${deadline_ms}`
    late = await sendToTheSlow(delivery, deadline_ms)
    if (late !== null) break
  }
  expect(parsed(late)).toMatchObject({ error: true, code: 'request_deadline', status: 503 })
  await expect.poll(() => kept(delivery)).toEqual(['accepted'])
  const repeat = await send(api, delivery)
  expect(repeat).toMatchObject({ status: 202 })
  expect(parsed(repeat)).toMatchObject({ status: 'deduped', session_id: expect.any(String) })
})

test('a body that does not come is answered 503 and not kept', async () => {
  const answer = await send(hurried, 'half', 1)
  expect(answer?.status).toBe(503)
  expect(answer?.head).toMatch(/^retry-after: 1$/im)
  expect(await kept('half')).toEqual([])
})

test('an address over its limit is answered 429 before anything of it is read or kept', async () => {
  // Two in a minute are one too many, and a minute that ends between them is followed by another.
  const answers = []
  for (const delivery of ['l1', 'l2', 'l3']) answers.push(await send(limited, delivery))
  const refused = answers.find((answer) => answer?.status === 429)
  const { retry_after_seconds, ...said } = parsed(refused ?? null)
  expect(said).toEqual({
    error: 'rate_limit_exceeded',
    message: `Too many requests from this address; try again in ${String(retry_after_seconds)} s`,
  })
  expect(refused?.head).toMatch(new RegExp(`^retry-after: ${String(retry_after_seconds)}$`, 'im'))
  expect(refused?.head).toMatch(/^x-ratelimit-remaining: 0$/im)
  for (const [index, delivery] of ['l1', 'l2', 'l3'].entries())
    expect(await kept(delivery)).toEqual(answers[index]?.status === 202 ? ['accepted'] : [])
  expect(await send(limited, 'l4', 1)).toMatchObject({ status: 429 })
})
