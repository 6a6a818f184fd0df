import { calls, createDatabase, type Db, gatewayPrices } from '@svc/db'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import type { Client, Project } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { awaitTurn } from '../support/sessions/agent.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import {
  type ScriptedProvider,
  scriptedProvider,
  usageOfAnswer,
} from '../support/sessions/scripted-provider.ts'
import { type Platform, startPlatform } from '../support/platform/platform.ts'

/** A cent a thousand tokens of input, two of output. */
const card = { input: 10_000_000, output: 20_000_000 }
const micros = usageOfAnswer.prompt_tokens * 10 + usageOfAnswer.completion_tokens * 20

describe('agents ask the models of the gateway', () => {
  let database: TestDatabase
  let db: Db
  let provider: ScriptedProvider
  let platform: Platform

  beforeAll(async () => {
    ;[database, provider] = await Promise.all([
      testDatabase(),
      scriptedProvider('echo "through the gateway" > made.txt && cat made.txt'),
    ])
    db = createDatabase(database.connection_string, { max: 2 })
    const { base_url } = provider
    const acme = {
      slug: 'acme',
      kind: 'openai_compatible',
      base_url,
      api_key_env: 'ACME_KEY',
      models: ['great'],
    }
    platform = await startPlatform({
      DATABASE_URL: database.connection_string,
      SVC_GATEWAY_PROVIDERS: JSON.stringify([acme]),
      ACME_KEY: 'the-key-of-acme',
    })
    const price = { model: 'acme/great', price_id: '0'.repeat(16), card, updated_at: new Date() }
    await gatewayPrices.set(db, { scope: 'operator' }, price)
  })
  afterAll(async () => {
    await platform?.stop()
    await provider?.close()
    await db?.destroy()
    await database?.close()
  })

  async function turnOf(client: Client, { project_id }: Project) {
    const session = await client.projects.sessions.create(project_id, {
      initial_prompt: 'Make a file.',
      model: 'acme/great',
    })
    return { session, turn: await awaitTurn(client, session) }
  }

  const make = {
    opencode: () => platform.client.projects.provision({ name: 'OpenCode' }),
    pi: () => piProject(platform.client, platform.token, 'Pi'),
  }

  test.each(['opencode', 'pi'] as const)('%s runs a tool, and each call has its row', async (runtime) => {
    const project = await make[runtime]()
    const before = provider.asked.length
    const { session, turn } = await turnOf(platform.client, project)
    expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
    expect(turn.outputs.at(-1)).toContain('through the gateway')
    const asked = provider.asked.slice(before)
    expect(asked.length).toBeGreaterThanOrEqual(2)
    for (const one of asked) expect(one).toEqual({ model: 'great', authorization: 'Bearer the-key-of-acme' })

    const { project_id } = project
    const { session_id } = session
    const rows = await db
      .selectFrom('gateway_calls')
      .selectAll()
      .where('session_id', '=', session_id)
      .execute()
    expect(rows).toHaveLength(asked.length)
    const of_turn = rows.filter(({ prompt_id }) => prompt_id !== null)
    expect(of_turn.length).toBeGreaterThanOrEqual(2)
    const [prompt] = (await platform.client.projects.sessions.prompts.list(project_id, session_id)).items
    for (const { call_id } of of_turn)
      expect(await calls.find(db, { project_id, call_id })).toMatchObject({
        ...{ session_id, prompt_id: prompt?.prompt_id, agent_name: session.agent_name, trigger_slug: null },
        ...{ model: 'acme/great', provider: 'acme', provider_scope: 'operator', dialect: 'chat' },
        ...{ status: 'settled', input_tokens: 1_000, output_tokens: 50, cost_micros: micros },
      })

    const { usage } = await platform.client.projects.sessions.get(project_id, session_id)
    expect(usage).toEqual({
      calls: rows.length,
      input_tokens: 1_000 * rows.length,
      output_tokens: 50 * rows.length,
      cost_micros: micros * rows.length,
      unpriced_calls: 0,
    })
    // Events that are reported together are told by the last of them.
    const told = turn.events
      .filter(({ type }) => type === 'usage')
      .map(({ cost_micros }) => Number(cost_micros))
    const sum = told.reduce((all, cost) => all + cost, 0)
    expect([sum % micros, sum >= 2 * micros]).toEqual([0, true])
  })

  test('the calls of a fire name its trigger', async () => {
    const project = await make.pi()
    const { project_id } = project
    const { triggers, sessions } = platform.client.projects
    const slug = 'nightly'
    const definition = {
      type: 'cron',
      cron: '0 0 3 1 1 *',
      prompt: 'Make a file.',
      model: 'acme/great',
    } as const
    await triggers.create(project_id, { slug, ...definition })
    const fire = await triggers.fire(project_id, slug)
    expect(fire).toMatchObject({ status: 'fired' })
    const session_id = 'session_id' in fire ? String(fire.session_id) : ''
    const session = await sessions.get(project_id, session_id)
    expect(await awaitTurn(platform.client, session)).toMatchObject({ status: 'completed' })
    const rows = await db
      .selectFrom('gateway_calls')
      .selectAll()
      .where('session_id', '=', session_id)
      .execute()
    expect(rows.length).toBeGreaterThanOrEqual(2)
    for (const row of rows) expect(row).toMatchObject({ trigger_slug: slug, model: 'acme/great' })
  })

  test('a budget that is full refuses the next session, and its raise lets it begin', async () => {
    const project = await make.pi()
    const { project_id, account_id } = project
    const now = new Date()
    const { user_id } = await platform.client.me()
    const budget_id = '11111111-1111-4111-8111-111111111111'
    await db
      .insertInto('gateway_budgets')
      .values({
        ...{ budget_id, account_id, project_id, name: 'The month', level: 'project', subject: null },
        ...{ period: 'month', cap_micros: 0, mode: 'block' },
        ...{ created_by: user_id, created_at: now, updated_at: now },
      })
      .execute()
    await expect(turnOf(platform.client, project)).rejects.toMatchObject({
      status: 402,
      code: 'budget_exceeded',
      details: { budget: { budget_id, name: 'The month', level: 'project' }, cap_micros: 0, spent_micros: 0 },
    })
    await db.updateTable('gateway_budgets').set({ cap_micros: 100_000_000 }).execute()
    expect((await turnOf(platform.client, project)).turn).toMatchObject({ status: 'completed' })
  })
})
