import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addPerson } from '../support/credentials.ts'
import { openWorld } from '../support/world.ts'
import { callsOn } from './calls.ts'

const { ask, newProject, account_id, platform, token } = await openWorld()
const { db } = platform.parts
const calls = callsOn(db)

interface Item {
  readonly item_id: string
  readonly version: string
  readonly [key: string]: unknown
}

async function blocks(who = token): Promise<Item[]> {
  const answer = await platform.call('/v1/inbox?kind=budget_block', { token: who })
  const { items, counts } = Object(answer.body)
  const counted = await platform.call('/v1/inbox/count', { token: who })
  expect(Object(counted.body).by_kind.budget_block).toBe(counts.budget_block)
  return items
}

test('a budget that refused a call waits for who may raise it, until it has room', async () => {
  const project_id = await newProject('Shop')
  const path = `/v1/projects/${project_id}/gateway/budgets`
  const wanted = { level: 'agent', period: 'day', cap_micros: 2_500, name: 'Agents' }
  const budget_id = (await ask('POST', path, wanted)).pick('budget_id')
  const where = { account_id, project_id }
  const running = await calls.admit(where, { agent_name: 'ada' })
  expect((await calls.admit(where, { agent_name: 'ada' })).outcome).toBe('refused')
  // What a running call holds comes back by itself.
  expect(await blocks()).toEqual([])

  if (running.outcome === 'granted') await calls.settle(running.call_id, 1_800)
  await calls.admit(where, { agent_name: 'ada' })
  const [item] = await blocks()
  expect(item).toMatchObject({
    ...{ item_id: `budget_block:${budget_id}.ada`, kind: 'budget_block', project_id, project_name: 'Shop' },
    ...{ title: 'Agents', phrase: 'Refuses calls: $0.0018 of $0.0025 spent', count: 2, session_id: null },
    ...{
      path: `/projects/${project_id}/models`,
      verdicts: ['dismiss', 'snooze'],
      expires_at: expect.any(String),
    },
  })

  const member = await addPerson(db, account_id, 'member')
  const members = `/v1/projects/${project_id}/members/${member.user_id}`
  await ask('PUT', members, { role: 'editor' })
  expect(await blocks(member.token)).toEqual([])
  await ask('PUT', members, { role: 'manager' })
  expect(await blocks(member.token)).toHaveLength(1)

  const mark = { version: item?.version, state: 'done' }
  expect((await ask('PUT', `/v1/inbox/${item?.item_id}`, mark)).status).toBeLessThan(300)
  expect(await blocks()).toEqual([])
  await ask('PATCH', `${path}/${budget_id}`, { cap_micros: 2_600 })
  await calls.admit(where, { agent_name: 'ada' })
  expect(await blocks()).toHaveLength(1)
  await ask('PATCH', `${path}/${budget_id}`, { cap_micros: 20_000 })
  expect(await blocks()).toEqual([])
})

test('an account’s budget waits for its admins alone', async () => {
  const project_id = await newProject()
  const path = `/v1/accounts/${account_id}/gateway/budgets`
  const budget_id = (await ask('POST', path, { level: 'account', period: 'total', cap_micros: 1 })).pick(
    'budget_id',
  )
  await calls.admit({ account_id, project_id })
  const member = await addPerson(db, account_id, 'member')
  await ask('PUT', `/v1/projects/${project_id}/members/${member.user_id}`, { role: 'manager' })
  expect(await blocks(member.token)).toEqual([])
  expect((await blocks()).map(({ item_id }) => item_id)).toEqual([`budget_block:${budget_id}.${account_id}`])
  await ask('DELETE', `${path}/${budget_id}`)
  expect(await blocks()).toEqual([])
})

test('a cap of each call tells what it refuses', async () => {
  const project_id = await newProject()
  const path = `/v1/projects/${project_id}/gateway/budgets`
  const budget_id = (await ask('POST', path, { level: 'call', cap_micros: 500 })).pick('budget_id')
  await calls.admit({ account_id, project_id }, { call_id: randomUUID() })
  expect(await blocks()).toMatchObject([
    {
      item_id: `budget_block:${budget_id}`,
      phrase: 'Refuses calls that may cost more than $0.0005',
      expires_at: null,
    },
  ])
  await ask('PATCH', `${path}/${budget_id}`, { mode: 'alert' })
  expect(await blocks()).toEqual([])
})
