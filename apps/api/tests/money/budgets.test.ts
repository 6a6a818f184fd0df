import { describe, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'
import { callsOn } from './calls.ts'

const { ask, newProject, account_id, platform } = await openWorld()
const { db } = platform.parts
const calls = callsOn(db)
const budgetsOf = (project_id: string) => `/v1/projects/${project_id}/gateway/budgets`

test('a budget is set, holds from the next call, is raised, and goes', async () => {
  const project_id = await newProject()
  const path = budgetsOf(project_id)
  const made = await ask('POST', path, { level: 'project', period: 'day', cap_micros: 1_000 })
  expect(made).toMatchObject({
    status: 201,
    body: {
      ...{ account_id, project_id, name: 'project per day', level: 'project', subject: null, period: 'day' },
      ...{ cap_micros: 1_000, mode: 'block', windows: [], alerts: [] },
    },
  })
  const budget_id = made.pick('budget_id')
  const refused = await calls.admit({ account_id, project_id })
  expect(refused).toMatchObject({ outcome: 'refused', error: { code: 'budget_exceeded' } })

  expect(await ask('PATCH', `${path}/${budget_id}`, { cap_micros: 3_000, name: 'Days' })).toMatchObject({
    status: 200,
    body: { cap_micros: 3_000, name: 'Days' },
  })
  await calls.spend({ account_id, project_id }, 900)
  await calls.admit({ account_id, project_id })
  const { budgets } = Object((await ask('GET', path)).body)
  expect(budgets).toMatchObject([
    {
      budget_id,
      windows: [
        {
          ...{ subject: project_id, spent_micros: 900, held_micros: 2_000 },
          ...{
            window_start: expect.stringMatching(/T00:00:00/),
            resets_at: expect.stringMatching(/T00:00:00/),
          },
        },
      ],
      alerts: [],
    },
  ])
  await calls.spend({ account_id, project_id: await newProject() }, 900)
  await ask('PATCH', `${path}/${budget_id}`, { cap_micros: 5_000 })
  await calls.spend({ account_id, project_id }, 2_000)
  expect(Object((await ask('GET', path)).body).budgets).toMatchObject([
    { alerts: [{ threshold: 50, cap_micros: 5_000, spent_micros: 2_900 }] },
  ])

  expect((await ask('DELETE', `${path}/${budget_id}`)).status).toBe(204)
  expect(await ask('DELETE', `${path}/${budget_id}`)).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  })
  expect(await ask('PATCH', `${path}/${budget_id}`, { mode: 'alert' })).toMatchObject({ status: 404 })
  expect(await calls.admit({ account_id, project_id })).toMatchObject({ outcome: 'granted' })
})

test('a twin is a conflict, also one that a change would make', async () => {
  const path = budgetsOf(await newProject())
  const body = { level: 'agent', subject: 'ada', period: 'week', cap_micros: 1 }
  const budget_id = (await ask('POST', path, body)).pick('budget_id')
  expect(await ask('POST', path, { ...body, cap_micros: 2 })).toMatchObject({
    status: 409,
    body: { code: 'conflict', budget_id },
  })
  const alert = await ask('POST', path, { ...body, mode: 'alert' })
  expect(alert.status).toBe(201)
  const change = await ask('PATCH', `${path}/${alert.pick('budget_id')}`, { mode: 'block' })
  expect(change).toMatchObject({ status: 409, body: { code: 'conflict', budget_id } })
  for (const other of [{ subject: 'eve' }, { period: 'month' }, { subject: null }])
    expect((await ask('POST', path, { ...body, ...other })).status).toBe(201)
})

describe('what is no budget of a project is refused', () => {
  const valid = { level: 'project', period: 'day', cap_micros: 1 }
  test.each([
    ['level', { level: 'account' }],
    ['level', { level: 'team' }],
    ['period', { period: 'year' }],
    ['period', { period: 'call' }],
    ['period', { level: 'call' }],
    ['period', { period: undefined }],
    ['subject', { subject: 'x' }],
    ['subject', { level: 'session', subject: 'x' }],
    ['subject', { level: 'session', subject: '00000000-0000-4000-8000-000000000000' }],
    ['subject', { level: 'key', subject: '00000000-0000-4000-8000-000000000000' }],
    ['subject', { level: 'trigger', subject: 'Not a slug' }],
    ['cap_micros', { cap_micros: -1 }],
    ['cap_micros', { cap_micros: 1.5 }],
    ['cap_micros', { cap_micros: 1_000_000_000_001 }],
    ['mode', { mode: 'warn' }],
    ['name', { name: '' }],
    ['cap_usd', { cap_usd: 5 }],
  ])('%s: %j', async (path, change) => {
    const answer = await ask('POST', budgetsOf(await project()), { ...valid, ...change })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(JSON.stringify(Object(answer.body).issues)).toContain(path)
  })
  let made: Promise<string> | undefined
  const project = () => (made ??= newProject())
})

test('no more than 200 fit, also when many come at once', async () => {
  const path = budgetsOf(await newProject())
  const one = (index: number) =>
    ask('POST', path, { level: 'agent', subject: `a${index}`, period: 'day', cap_micros: 1 })
  for (let made = 0; made < 190; made += 10)
    await Promise.all(Array.from({ length: 10 }, (_, index) => one(made + index)))
  const last = await Promise.all(Array.from({ length: 15 }, (_, index) => one(190 + index)))
  expect(last.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: 10 }, () => 201),
    ...Array.from({ length: 5 }, () => 409),
  ])
})

test('an account has budgets of itself and of each of its projects', async () => {
  const path = `/v1/accounts/${account_id}/gateway/budgets`
  const whole = await ask('POST', path, { level: 'account', period: 'month', cap_micros: 10_000_000 })
  expect(whole).toMatchObject({ status: 201, body: { project_id: null, level: 'account' } })
  const each = await ask('POST', path, { level: 'project', period: 'total', cap_micros: 5_000 })
  expect(each.status).toBe(201)
  expect(await ask('POST', path, { level: 'agent', period: 'day', cap_micros: 1 })).toMatchObject({
    status: 400,
  })
  const [one, two] = [await newProject(), await newProject()]
  await calls.spend({ account_id, project_id: one }, 1_000)
  await calls.spend({ account_id, project_id: two }, 500)
  const { budgets } = Object((await ask('GET', path)).body)
  const subjects = budgets[1].windows.map((w: { subject: string; spent_micros: number }) => [
    w.subject,
    w.spent_micros,
  ])
  expect(subjects.slice(0, 2)).toEqual([
    [one, 1_000],
    [two, 500],
  ])
  for (const { body } of [whole, each])
    expect((await ask('DELETE', `${path}/${Object(body).budget_id}`)).status).toBe(204)
})

test('a session’s and a key’s budget are of this project', async () => {
  const project_id = await newProject()
  const session_id = (await ask('POST', `/v1/projects/${project_id}/sessions`, {})).pick('session_id')
  const key = await ask('POST', `/v1/projects/${project_id}/gateway-keys`, { name: 'k' })
  const path = budgetsOf(project_id)
  for (const [level, subject] of [
    ['session', session_id],
    ['key', key.pick('token_id')],
  ])
    expect(await ask('POST', path, { level, subject, period: 'total', cap_micros: 7 })).toMatchObject({
      status: 201,
      body: { level, subject },
    })
})

test('every change is in the audit log', async () => {
  const project_id = await newProject()
  const path = budgetsOf(project_id)
  const budget_id = (await ask('POST', path, { level: 'call', cap_micros: 9 })).pick('budget_id')
  await ask('PATCH', `${path}/${budget_id}`, { cap_micros: 8 })
  await ask('DELETE', `${path}/${budget_id}`)
  const { events } = Object(
    (await ask('GET', `/v1/accounts/${account_id}/audit?project_id=${project_id}`)).body,
  )
  const target = `projects/${project_id}/gateway/budgets/${budget_id}`
  expect(events.slice(0, 3)).toMatchObject([
    { action: 'deleteGatewayBudget', target },
    { action: 'updateGatewayBudget', target, details: { cap_micros: 8 } },
    { action: 'createGatewayBudget', target, details: { level: 'call', period: 'call', cap_micros: 9 } },
  ])
})
