import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { gatewayPrices, gatewayProviders, gatewaySettings, placeColumns } from '@svc/db'
import { costMicros, priceIdOf, usageOf } from '@svc/models'
import { admitCall, settleCall, sweepCalls } from '@svc/spend'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProcess } from '../../../../scripts/bundle-process.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'
import { type SlowUpstream, slowUpstream } from './slow-upstream.ts'

const streams = 200
const cap_micros = 100_000_000
/** One micro-dollar a token, in and out. */
const card = { input: 1_000_000, output: 1_000_000 }
const sweepMs = 5_000
const stoppedMs = 20_000

let platform: TestGateway
let upstream: SlowUpstream
const gateways: { readonly process: ChildProcess; readonly port: number }[] = []

beforeAll(async () => {
  ;[platform, upstream] = await Promise.all([testGateway(), slowUpstream()])
  const program = await bundleProcess(new URL('run-gateway.ts', import.meta.url))
  const start = async () => {
    const child = spawn(process.execPath, [program, platform.connection_string], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [port] = await once(child.stdout, 'data')
    gateways.push({ process: child, port: Number(port) })
  }
  await Promise.all([start(), start(), start(), start()])
})
afterAll(async () => {
  for (const { process: child } of gateways) child.kill('SIGKILL')
  await upstream.close()
  await platform.close()
})

async function makeScene() {
  const { db } = platform.base
  const project = await db
    .selectFrom('projects')
    .select(['project_id', 'account_id', 'created_by'])
    .executeTakeFirstOrThrow()
  const { project_id, account_id, created_by } = project
  const [place, at] = [{ scope: 'project', project_id } as const, new Date()]
  await gatewayProviders.insert(db, {
    ...placeColumns(place),
    ...{ provider_id: randomUUID(), slug: 'acme', kind: 'openai', base_url: `${upstream.origin}/v1` },
    models: JSON.stringify([{ id: 'm1', max_output_tokens: 10_000, context_window: 100_000 }]),
    ...{ deadlines: '{}', output_limit_field: 'max_tokens', managed_by: 'api', created_by: null },
    ...{ created_at: at, updated_at: at },
  })
  await gatewayPrices.set(db, place, { model: 'acme/m1', card, price_id: priceIdOf(card), updated_at: at })
  await gatewaySettings.touch(db, place)
  await db
    .insertInto('gateway_budgets')
    .values({
      ...{ budget_id: randomUUID(), account_id, project_id, name: 'all', level: 'project', subject: null },
      ...{ period: 'total', cap_micros, mode: 'block', created_by, created_at: at, updated_at: at },
    })
    .execute()
  // One call has used 99 % of it.
  const call_id = randomUUID()
  const used = { output_tokens: (cap_micros / 100) * 99, input_tokens: 0 }
  const { token_id } = await db
    .selectFrom('tokens')
    .select('token_id')
    .where('kind', '=', 'gateway')
    .executeTakeFirstOrThrow()
  const admitted = await admitCall(platform.base, {
    ...{
      call_id,
      account_id,
      project_id,
      session_id: null,
      prompt_id: null,
      trigger_slug: null,
      agent_name: null,
    },
    ...{ token_id, dialect: 'chat', model_asked: 'acme/m1', model: 'acme/m1', provider: 'acme' },
    ...{ provider_scope: 'project', streamed: false, attempts: [], request_id: null, input_estimate: 0 },
    bounds: { card, input_bound: 0, output_limit: used.output_tokens, n: 1 },
    ...{ unbounded: null, countInput: null },
  })
  expect(admitted.outcome).toBe('granted')
  await settleCall(platform.base, {
    ...{ call_id, event: 'finish', http_status: 200, estimated: false, usage: usageOf(used), card },
  })
}

function ask(port: number, max_tokens = 6_000) {
  return fetch(`http://127.0.0.1:${port}/v1/llm/chat/completions`, {
    method: 'POST',
    headers: { 'x-api-key': platform.key, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ model: 'acme/m1', stream: true, max_tokens },
      messages: [{ role: 'user', content: 'Go on' }],
    }),
  })
}

/** The end that a client sees of its stream. */
async function endOf(port: number) {
  try {
    const answer = await ask(port)
    const text = await answer.text()
    if (answer.status !== 200) return { status: answer.status, code: /"code":"(\w+)"/.exec(text)?.[1] }
    return {
      status: 200,
      code: /"error":.*"code":"(\w+)"/.exec(text)?.[1] ?? (text.endsWith('[DONE]\n\n') ? 'done' : 'half'),
    }
  } catch {
    return { status: 0, code: 'broken' }
  }
}

const money = () =>
  platform.base.db
    .selectFrom('gateway_budget_windows')
    .select(['spent_micros', 'held_micros'])
    .executeTakeFirstOrThrow()

test('200 streams at 99 % of a budget, on four gateways of which two are killed and one stands still: no cent above it, none lost', async () => {
  await makeScene()
  const seen: { readonly spent_micros: number; readonly held_micros: number }[] = []
  const polling = setInterval(() => void money().then((now) => seen.push(now)), 100)
  const sweeping = setInterval(() => void sweepCalls(platform.base), sweepMs)
  const ends = Array.from({ length: streams }, (_, index) =>
    endOf(gateways[index % gateways.length]?.port ?? 0),
  )
  // What is left pays for so many of them at once.
  await expect.poll(() => upstream.running(), { timeout: 60_000 }).toBeGreaterThan(100)
  await sleep(2_500)

  const [one, two, still, alive] = gateways
  one?.process.kill('SIGKILL')
  two?.process.kill('SIGKILL')
  still?.process.kill('SIGSTOP')
  const killed_at = performance.now()
  // The holds of the dead and of the one that stands still are let go while it does.
  await sleep(stoppedMs)
  still?.process.kill('SIGCONT')
  upstream.finish()
  const outcomes = await Promise.all(ends)
  await expect.poll(async () => (await money()).held_micros, { timeout: 20_000 }).toBe(0)
  expect(performance.now() - killed_at).toBeGreaterThan(stoppedMs)
  clearInterval(polling)
  clearInterval(sweeping)

  expect(seen.length).toBeGreaterThan(20)
  expect(seen.filter(({ spent_micros, held_micros }) => spent_micros + held_micros > cap_micros)).toEqual([])
  const codes = new Set(outcomes.map(({ code }) => code))
  // Killed under them; refused; ended well; and fenced, on the one that went on too late.
  for (const code of ['broken', 'budget_exceeded', 'done', 'call_lost']) expect(codes).toContain(code)

  const { db } = platform.base
  const rows = await db.selectFrom('gateway_calls').selectAll().execute()
  expect(rows.filter(({ live }) => live)).toEqual([])
  expect(rows.some(({ status }) => status === 'lost')).toBe(true)
  const { spent_micros } = await money()
  expect(rows.reduce((sum, { cost_micros }) => sum + (cost_micros ?? 0), 0)).toBe(spent_micros)
  for (const row of rows.filter(({ status }) => status === 'settled' || status === 'failed'))
    expect(Number(costMicros(usageOf(row), card)), row.call_id).toBe(row.cost_micros)

  // What was let go pays for the next one.
  const last = ask(alive?.port ?? 0, 200)
  await expect.poll(() => upstream.running()).toBe(1)
  upstream.finish()
  expect((await last).status).toBe(200)
})
