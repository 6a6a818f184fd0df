import { createHmac, randomUUID } from 'node:crypto'
import { sessions } from '@svc/db'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  archiveProject,
  deleteSecret,
  fireNextOwed,
  listTriggerDeliveries,
  putSecret,
  receiveWebhook,
  redeliverTrigger,
  setTriggerActivation,
} from '../../src/index.ts'
import { addMember } from '../../src/testing/people.ts'
import type { TestProject } from '../../src/testing/projects.ts'
import { endOf } from '../support/replica.ts'
import {
  deliver,
  fireAll,
  hookSecret,
  ledger,
  projectWith,
  type SentDelivery,
  promptsOf,
} from '../../src/testing/triggers.ts'
import { openWorld } from '../../src/testing/world.ts'

/** Identical deliveries at once; `SVC_LONG_TESTS=1` for the long form. */
const crowd = process.env['SVC_LONG_TESTS'] ? 1000 : 150

const world = await openWorld({ session_cap: 5000 })
const hook = (more = '', prompt = 'did {{ body.action }}') =>
  `  - { slug: hook, type: webhook, secret_env: HOOK_SECRET, prompt: '${prompt}'${more} }\n`
beforeEach(async () => {
  await world.db.deleteFrom('project_triggers').execute()
})

const project = (more = '', prompt?: string) => projectWith(world, hook(more, prompt))
const deliveries = async (of: TestProject) =>
  (await listTriggerDeliveries(of.ctx, { project_id: of.project_id, slug: 'hook', limit: 200 })).deliveries
const sessionsOf = async ({ project_id }: TestProject) =>
  (await sessions.list(world.db, { project_id, limit: 2000, origin: 'trigger' })).sessions

describe('the answers, in their order', () => {
  test('an unknown, disabled or archived address is 404, and so is a trigger that is no webhook', async () => {
    const cron = "  - { slug: tick, type: cron, cron: '0 0 * * * *', prompt: x }\n"
    const off = '  - { slug: off, type: webhook, secret_env: HOOK_SECRET, prompt: x, enabled: false }\n'
    const mine = await projectWith(world, hook() + cron + off)
    for (const slug of ['nowhere', 'tick', 'off'])
      expect(await endOf(deliver(world, mine, {}, { slug }))).toBe('not_found')
    await archiveProject(mine.ctx, mine)
    expect(await endOf(deliver(world, mine, {}))).toBe('not_found')
    expect(await endOf(deliver(world, { ...mine, project_id: randomUUID() }, {}))).toBe('not_found')
  })

  test('without its secret it is 409, whoever asks', async () => {
    const mine = await project()
    await deleteSecret(mine.ctx, { project_id: mine.project_id, name: 'HOOK_SECRET' })
    expect(await endOf(deliver(world, mine, {}))).toBe('conflict')
    expect(await endOf(deliver(world, mine, {}, { sign: null }))).toBe('conflict')
  })

  test('a wrong or missing proof is 401, also when the project is paused and the body too large', async () => {
    const mine = await project(', filter: { body.action: opened }')
    await setTriggerActivation(mine.ctx, { project_id: mine.project_id, paused: true })
    const wrong: SentDelivery[] = [
      { sign: 'wrong' },
      { sign: null },
      { sign: null, headers: { 'X-Svc-Signature': '', 'X-Svc-Token': hookSecret } },
    ]
    for (const sent of wrong) expect(await endOf(deliver(world, mine, {}, sent))).toBe('unauthorized')
    const huge = 'x'.repeat(1024 * 1024 + 1)
    expect(await endOf(deliver(world, mine, huge, { sign: null }))).toBe('unauthorized')
    expect(await endOf(deliver(world, mine, huge))).toBe('payload_too_large')
    expect(await sessionsOf(mine)).toEqual([])
    const log = await deliveries(mine)
    expect(log.map((one) => one.verdict)).toEqual(Array(4).fill('refused'))
    expect(JSON.stringify(log)).not.toContain(hookSecret)
  })

  test('paused, then the filter, answer without a session', async () => {
    const mine = await project(', filter: { body.action: opened }')
    expect(await deliver(world, mine, { action: 'closed' })).toEqual({ status: 'skipped', reason: 'filter' })
    await setTriggerActivation(mine.ctx, { project_id: mine.project_id, paused: true })
    expect(await deliver(world, mine, { action: 'opened' })).toEqual({ status: 'skipped', reason: 'paused' })
    await setTriggerActivation(mine.ctx, { project_id: mine.project_id, paused: false })
    expect(await deliver(world, mine, { action: 'opened' })).toMatchObject({ status: 'fired' })
    const rows = await ledger(world, mine, 'hook')
    expect(rows.map(({ status, reason }) => [status, reason])).toEqual(
      expect.arrayContaining([
        ['skipped', 'filter'],
        ['skipped', 'paused'],
        ['pending', null],
      ]),
    )
  })

  test('a session that cannot be is a refusal, a failure in the ledger, and may be sent again', async () => {
    const mine = await project(', model: acme/great')
    const ctx = { ...world.worker(), settings: { ...world.base.settings, offered_models: [] } }
    const id = randomUUID()
    const send = () =>
      receiveWebhook(ctx, {
        project_id: mine.project_id,
        slug: 'hook',
        headers: new Headers({ 'X-Svc-Token': hookSecret, 'X-Svc-Delivery': id }),
        body: async () => ({ bytes: Buffer.from('{}'), whole: true }),
      })
    expect(await endOf(send())).toBe('trigger_fire_failed')
    expect(await endOf(send())).toBe('trigger_fire_failed')
    expect((await ledger(world, mine, 'hook')).map((fire) => fire.reason)).toEqual(
      Array(2).fill('The model acme/great is not available (named by the trigger)'),
    )
    expect((await deliveries(mine)).map((one) => one.verdict)).toEqual(['failed', 'failed'])
  })

  test('at the account’s cap it waits, and fires when there is room', async () => {
    const mine = await project()
    const ctx = { ...world.worker(), settings: { ...world.base.settings, session_cap: 0 } }
    const answer = await receiveWebhook(ctx, {
      project_id: mine.project_id,
      slug: 'hook',
      headers: new Headers({ 'X-Svc-Token': hookSecret }),
      body: async () => ({ bytes: Buffer.from('{"action":"waited"}'), whole: true }),
    })
    expect(answer).toEqual({ status: 'queued', reason: 'session_limit' })
    world.clock.advance(15_000)
    await fireAll(world)
    expect((await promptsOf(world, mine))[0]).toMatch(/did waited$/)
  })
})

test('invariant 5: what was answered fires although the process that answered is gone, and tells the agent who wrote it', async () => {
  const mine = await project()
  const answer = await deliver(world, mine, { action: '{{ trigger.slug }} opened' })
  expect(await sessionsOf(mine)).toEqual([])
  await fireAll(world)
  expect(await sessionsOf(mine)).toMatchObject([
    { session_id: 'session_id' in answer ? answer.session_id : '' },
  ])
  const [prompt] = await promptsOf(world, mine)
  expect(prompt).toMatch(/^Values in the message below came from outside/)
  expect(prompt).toMatch(/did \{\{ trigger\.slug \}\} opened$/)
})

test(`${crowd} identical deliveries at once are one session`, async () => {
  const mine = await project()
  const id = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: crowd }, () =>
      deliver(world, mine, { action: 'x' }, { headers: { 'X-Svc-Delivery': id } }),
    ),
  )
  await fireAll(world)
  const opened = await sessionsOf(mine)
  expect(opened).toHaveLength(1)
  expect(answers.filter((answer) => answer.status === 'fired')).toHaveLength(1)
  expect(new Set(answers.map((answer) => ('session_id' in answer ? answer.session_id : null)))).toEqual(
    new Set([opened[0]?.session_id]),
  )
  const rows = await ledger(world, mine, 'hook')
  expect(rows.filter((row) => row.status === 'fired')).toHaveLength(1)
  expect(rows.filter((row) => row.status === 'deduped')).toHaveLength(crowd - 1)
})

test('a repeat counts for a day, per trigger', async () => {
  const mine = await project()
  const same = { headers: { 'X-GitHub-Delivery': 'same' } }
  expect(await deliver(world, mine, {}, same)).toMatchObject({ status: 'fired' })
  expect(await deliver(world, mine, { other: 1 }, same)).toMatchObject({ status: 'deduped' })
  world.clock.advance(24 * 3_600_000 + 1)
  expect(await deliver(world, mine, {}, same)).toMatchObject({ status: 'fired' })
  const another = await project()
  expect(await deliver(world, another, {}, same)).toMatchObject({ status: 'fired' })
})

test('without an id a signed delivery is known by its signature, and one with a token is new each time', async () => {
  const mine = await project()
  const none = { 'X-Svc-Delivery': '' }
  const right = createHmac('sha256', hookSecret).update('{}').digest('hex')
  expect(await deliver(world, mine, {}, { headers: none })).toMatchObject({ status: 'fired' })
  for (const spelling of [right.toUpperCase(), `sha256=${right}`, `sha256=${right.toUpperCase()}`]) {
    const again = { headers: { ...none, 'X-Svc-Signature': spelling } }
    expect(await deliver(world, mine, {}, again)).toMatchObject({ status: 'deduped' })
  }
  const token = { sign: null, headers: { ...none, 'X-Svc-Token': hookSecret } }
  const pressed = await Promise.all([1, 2, 3].map(() => deliver(world, mine, '', token)))
  expect(pressed.map(({ status }) => status)).toEqual(['fired', 'fired', 'fired'])
  await fireAll(world)
  expect(await sessionsOf(mine)).toHaveLength(4)
})

test('concurrent deliveries of one key share one session', async () => {
  const mine = await project(", session_key: '{{ body.ticket }}'")
  const send = (ticket: string) => deliver(world, mine, { ticket, action: 'x' })
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => send(`t${index % 2}`)))
  await fireAll(world)
  expect(await sessionsOf(mine)).toHaveLength(2)
  const known = (await sessionsOf(mine)).map((session) => session.session_id)
  for (const answer of answers) {
    if (answer.status === 'fired') expect(known).toContain(answer.session_id)
    else expect(answer.status).toBe('queued')
  }
  expect(await promptsOf(world, mine)).toHaveLength(12)
  await Promise.all([send(''), send(''), send('  ')])
  await fireAll(world)
  expect(await sessionsOf(mine)).toHaveLength(5)
})

test('during a rotation the previous secret is good beside the new one', async () => {
  const mine = await project()
  const { project_id } = mine
  await putSecret(mine.ctx, { project_id, name: 'HOOK_SECRET', value: 'new' })
  expect(await endOf(deliver(world, mine, {}))).toBe('unauthorized')
  await putSecret(mine.ctx, { project_id, name: 'HOOK_SECRET_PREVIOUS', value: hookSecret })
  expect(await deliver(world, mine, {})).toMatchObject({ status: 'fired' })
  expect(await deliver(world, mine, {}, { sign: 'new' })).toMatchObject({ status: 'fired' })
  await deleteSecret(mine.ctx, { project_id, name: 'HOOK_SECRET_PREVIOUS' })
  expect(await endOf(deliver(world, mine, {}))).toBe('unauthorized')
})

test('the log shows what came without credentials, and whoever may fire sends it again', async () => {
  const mine = await project()
  const body = `{"action":"opened","big":"${'x'.repeat(80_000)}"}`
  await deliver(world, mine, body, {
    sign: null,
    headers: { Authorization: `Bearer ${hookSecret}`, Cookie: 'c=1' },
  })
  const [first] = await deliveries(mine)
  expect(first).toMatchObject({ verdict: 'accepted', body_truncated: true, body_bytes: body.length })
  expect(first?.body).toHaveLength(64 * 1024)
  expect(first?.headers).toMatchObject({ authorization: '[redacted]', cookie: '[redacted]' })
  const again = { project_id: mine.project_id, slug: 'hook', receipt_id: first?.receipt_id ?? '' }
  expect(await redeliverTrigger(mine.ctx, again)).toMatchObject({ status: 'fired' })
  await fireAll(world)
  expect(await sessionsOf(mine)).toHaveLength(2)
  const repeat = expect.objectContaining({ redelivery_of: first?.receipt_id, verdict: 'accepted' })
  expect(await deliveries(mine)).toEqual([expect.anything(), expect.anything()])
  expect(await deliveries(mine)).toContainEqual(repeat)
  const viewer = await addMember(world, mine, 'viewer')
  expect(await endOf(redeliverTrigger(world.as(viewer.principal), again))).toBe('forbidden')
  await listTriggerDeliveries(world.as(viewer.principal), { ...again, limit: 1 })
})

test('whoever knows no secret cannot fill the log', async () => {
  const mine = await project()
  for (let sent = 0; sent < 110; sent += 1) await endOf(deliver(world, mine, {}, { sign: 'wrong' }))
  expect(await deliveries(mine)).toHaveLength(100)
})

test('any bytes from whoever knows the secret are kept and become a prompt', async () => {
  const mine = await project('', '{{ body }} {{ body.raw }} {{ body.a.b }}')
  let sent = 0
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.json().map((text) => Buffer.from(text)),
      ),
      fc.stringMatching(/^[!-~]{0,20}$/),
      async (bytes, agent) => {
        sent += 1
        const answer = await receiveWebhook(world.worker(), {
          project_id: mine.project_id,
          slug: 'hook',
          headers: new Headers({
            'X-Svc-Token': hookSecret,
            'User-Agent': agent,
            'X-Svc-Delivery': `fuzz-${sent}`,
          }),
          body: async () => ({ bytes, whole: true }),
        })
        expect(answer.status).toBe('fired')
      },
    ),
    { numRuns: process.env['SVC_LONG_TESTS'] ? 2000 : 60 },
  )
  while (await fireNextOwed(world.base));
  expect(await promptsOf(world, mine)).toHaveLength(sent)
}, 600_000)
