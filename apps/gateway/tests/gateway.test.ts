import { randomBytes, randomUUID } from 'node:crypto'
import { formatToken } from '@svc/access'
import type { SpanStart, Tracing } from '@svc/boot'
import { features } from '@svc/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGateway } from '../src/index.ts'
import { hello, post, type TestGateway, testGateway } from './support/gateway.ts'

let platform: TestGateway
beforeAll(async () => {
  platform = await testGateway()
})
afterAll(() => platform.close())

describe('who may ask', () => {
  test.each(['/models', '/chat/completions', '/elsewhere'])('%s without a key is 401', async (path) => {
    const response = await platform.gateway().request(`/v1/llm${path}`)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' }, status: 401 })
  })

  test('a person’s token is 403', async () => {
    const response = await post(platform.gateway(), hello, platform.user_token)
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('gateway keys') },
      code: 'forbidden',
      action: 'askModel',
    })
  })

  test.each(['svc_usr_', 'svc_oat_', 'svc_sbx_'] as const)(
    'a %s token is 403, and not looked up',
    async (prefix) => {
      const token = formatToken(prefix, randomBytes(32))
      const response = await post(platform.gateway(), hello, token)
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ code: 'forbidden', action: 'askModel' })
    },
  )

  test('whoever may not is written down', async () => {
    const { db } = platform.base
    const denied = () =>
      db
        .selectFrom('audit_events')
        .select(['action', 'outcome', 'details'])
        .where('action', '=', 'askModel')
        .execute()
    const before = (await denied()).length
    await post(platform.gateway(), hello, platform.user_token)
    expect((await denied()).slice(before)).toEqual([
      { action: 'askModel', outcome: 'denied', details: { status: 403 } },
    ])
    await post(platform.gateway(), hello, platform.key)
    expect(await denied()).toHaveLength(before + 1)
  })

  test('a gateway key may', async () => {
    expect((await post(platform.gateway(), hello, platform.key)).status).toBe(200)
  })

  test('nobody of a project that was not opted in', async () => {
    const { db } = platform.base
    const { project_id, created_by } = await db
      .selectFrom('projects')
      .select(['project_id', 'created_by'])
      .executeTakeFirstOrThrow()
    const flag = {
      project_id,
      feature: 'model_gateway',
      updated_by: created_by,
      updated_at: new Date(),
    } as const
    await features.set(db, { ...flag, enabled: false })
    const response = await post(platform.gateway(), hello, platform.key)
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      error: { code: 'feature_disabled', feature: 'model_gateway' },
      code: 'feature_disabled',
      feature: 'model_gateway',
    })
    // No decision is none for it.
    await db.deleteFrom('project_features').execute()
    expect((await post(platform.gateway(), hello, platform.key)).status).toBe(403)
    await features.set(db, { ...flag, enabled: true })
    expect((await post(platform.gateway(), hello, platform.key)).status).toBe(200)
  })

  test('nobody under a plan without the gateway', async () => {
    const { db } = platform.base
    const hold = (gateway: 'off' | 'managed') =>
      db.updateTable('plans').set({ gateway }).where('tier', '=', 'self_host').execute()
    await hold('off')
    const response = await post(platform.gateway(), hello, platform.key)
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'feature_disabled', feature: 'model_gateway' })
    await hold('managed')
    expect((await post(platform.gateway(), hello, platform.key)).status).toBe(200)
  })
})

describe('the demo model', () => {
  test('is listed as what it is', async () => {
    const response = await platform.gateway().request('/v1/llm/models', {
      headers: { authorization: `Bearer ${platform.key}` },
    })
    expect(await response.json()).toMatchObject({
      object: 'list',
      data: [
        {
          id: 'demo',
          object: 'model',
          name: expect.stringMatching(/scripted/i),
          owned_by: expect.stringMatching(/no AI/),
        },
      ],
    })
  })

  test('answers whole', async () => {
    const body: unknown = await (await post(platform.gateway(), hello, platform.key)).json()
    expect(body).toMatchObject({
      object: 'chat.completion',
      model: 'demo',
      choices: [
        {
          message: { role: 'assistant', content: '[scripted demo model] You asked: Hello' },
          finish_reason: 'stop',
        },
      ],
      usage: { total_tokens: expect.any(Number) },
    })
  })

  test('answers in small pieces that make up the same answer', async () => {
    const response = await post(
      platform.gateway(),
      {
        ...hello,
        stream: true,
        stream_options: { include_usage: true },
      },
      platform.key,
    )
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = (await response.text()).trim().split('\n\n')
    expect(events.at(-1)).toBe('data: [DONE]')
    const chunks = events
      .slice(0, -1)
      .map((event): { choices: { delta: { content?: string } }[]; usage?: object } =>
        JSON.parse(event.slice(6)),
      )
    expect(chunks.length).toBeGreaterThan(4)
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(
      '[scripted demo model] You asked: Hello',
    )
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number) } })
  })

  test('streams a tool call whose pieces are its arguments', async () => {
    const tools = ['write', 'bash'].map((name) => ({
      type: 'function',
      function: { name, parameters: { properties: { filePath: {} } } },
    }))
    const response = await post(platform.gateway(), { ...hello, stream: true, tools }, platform.key)
    const events = (await response.text()).trim().split('\n\n').slice(0, -1)
    const deltas = events.map(
      (
        event,
      ): {
        choices: {
          delta: { tool_calls?: { function: { name?: string; arguments: string } }[] }
          finish_reason: string | null
        }[]
      } => JSON.parse(event.slice(6)),
    )
    const parts = deltas.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])
    expect(parts[0]).toMatchObject({ id: expect.any(String), type: 'function', function: { name: 'write' } })
    expect(JSON.parse(parts.map((part) => part.function.arguments).join(''))).toMatchObject({
      filePath: 'notes/hello.md',
    })
    expect(deltas.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls')
  })

  test('the same conversation gets the same answer', async () => {
    const app = createGateway({ ...platform.base, now: () => new Date(0), upstream: null })
    expect(await (await post(app, hello, platform.key)).text()).toBe(
      await (await post(app, hello, platform.key)).text(),
    )
  })

  test.each([
    ['{', 400, 'malformed_json'],
    [{}, 400, 'invalid_request'],
    [{ messages: [] }, 400, 'invalid_request'],
    [{ ...hello, model: 'gpt-x' }, 404, 'model_not_found'],
  ])('%j is %i %s', async (body, status, code) => {
    const response = await post(platform.gateway(), body, platform.key)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code }, status, code })
  })
})

test('a request to a model is a part of the turn that runs in the session of its key', async () => {
  const begun: SpanStart[] = []
  const tracing: Tracing = {
    begin(start) {
      begun.push(start)
      return { trace_id: '', traceparent: '', end: () => {} }
    },
    close: async () => {},
  }
  const { db } = platform.base
  const [session_id, prompt_id, trace_id] = [randomUUID(), randomUUID(), 'a'.repeat(32)]
  await db.connection().execute(async (own) => {
    // The rows that these hang on are of no matter here.
    await sql`set session_replication_role = replica`.execute(own)
    await sql`insert into project_sessions (session_id, account_id, project_id, branch_name, base_ref, status, agent_name,
        agent_grant, merge_granted, origin, created_by, created_at, updated_at, provisioning_at, started_at)
      select ${session_id}, account_id, project_id, ${session_id}, 'main', 'running', 'coder', '[]', false, 'user',
        created_by, now(), now(), now(), now() from projects`.execute(own)
    await sql`insert into session_sandboxes (session_id, provider, external_id, endpoint, status, last_active_at, created_at, updated_at)
      values (${session_id}, 'memory', 'x', 'http://x', 'active', now(), now(), now())`.execute(own)
    await own.updateTable('tokens').set({ session_id }).where('kind', '=', 'gateway').execute()
    const at = new Date()
    await own
      .insertInto('session_prompts')
      .values({
        prompt_id,
        session_id,
        text: 'go',
        source: 'user',
        state: 'running',
        agent: null,
        model: null,
        error: null,
        dedupe_key: null,
        traceparent: `00-${trace_id}-${'b'.repeat(16)}-01`,
        created_by: randomUUID(),
        created_at: at,
        updated_at: at,
      })
      .execute()
    await sql`set session_replication_role = origin`.execute(own)
  })
  const app = createGateway({ ...platform.base, tracing, upstream: null })
  expect((await post(app, hello, platform.key)).status).toBe(200)
  expect(begun[0]?.parent).toMatch(/^00-a{32}-[0-9a-f]{16}-01$/)
  await db.updateTable('session_prompts').set({ state: 'done' }).where('prompt_id', '=', prompt_id).execute()
  expect((await post(app, hello, platform.key)).status).toBe(200)
  expect(begun[1]).toMatchObject({ name: 'chat demo', parent: undefined })
})
