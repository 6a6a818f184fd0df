import { randomUUID } from 'node:crypto'
import { type Operation, operations } from '@svc/contract'
import { runManifestEdit, runMergeAttempt } from '@svc/services'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { prepareFor } from '../support/mutations/mutations.ts'
import type { RequestInputs } from '../support/mutations/prepare.ts'
import { fillIn, type Ids, makeObjects } from '../support/objects.ts'
import { queryOf } from '../support/operations.ts'
import { validBodies } from '../support/bodies.ts'
import { watchWrites } from '../support/writes.ts'
import { openWorld } from '../support/world.ts'

const { platform, account_id } = await openWorld({ enqueue: work })
let objects: Ids
let writes: Awaited<ReturnType<typeof watchWrites>>

beforeAll(async () => {
  objects = await makeObjects(platform, platform.owner, account_id)
  writes = await watchWrites(platform.database.db)
})

/** The workers that a request waits for. */
async function work(_queue: string, name: string, payload: unknown): Promise<void> {
  const { parts } = platform
  const ctx = { ...parts, locks: parts.db, signal: new AbortController().signal }
  if (typeof payload !== 'object' || payload === null) return
  if ('attempt_id' in payload && typeof payload.attempt_id === 'string') {
    const { attempt_id } = payload
    if (name === 'change-request.merge') await runMergeAttempt(ctx, { attempt_id })
    if (name === 'manifest.edit') await runManifestEdit(ctx, { attempt_id })
  }
  if (!('session_id' in payload)) return
  // A caller that waits for the sandbox has it at once.
  const { session_id } = payload
  if (name === 'sandbox.stop')
    await sql`update session_sandboxes set status = 'stopped' where session_id = ${session_id}`.execute(
      parts.db,
    )
  if (name === 'sandbox.provision' && instant)
    await sql`update project_sessions set status = 'running', started_at = now() where session_id = ${session_id}`.execute(
      parts.db,
    )
}
let instant = false

/**
 * Verbs that need more than rows: an agent, an authenticator, a browser, a repository elsewhere, a name server, a model provider.
 * Each has its own test.
 */
const elsewhere = new Set([
  ...['answerAsk', 'connectProject', 'enrolTotp', 'confirmTotp', 'disableTotp'],
  ...['testGatewayProvider', 'testAccountGatewayProvider'],
  ...[
    'verifyDomain',
    'setAccountSso',
    'refreshSession',
    'abortSession',
    'setSessionRuntime',
    'beginConnectorAuthorization',
    'finishConnectorAuthorization',
    'endOwnBrowserSession',
  ],
])

/** Calls of connectors have their ledger, and the others here change nothing that a person decided. */
const unaudited = new Set([
  ...['createConnectorCall', 'cancelConnectorCall', 'syncConnector'],
  ...['testConnectorPolicy', 'testConnection', 'testChannel', 'checkApps', 'previewChannelLink'],
])

/** Marks of a person for themselves, which change nothing that another one sees. */
const ownMarks = new Set([
  'markInboxItem',
  'actOnInbox',
  'setViewedFile',
  'readNotifications',
  'updateNotificationSettings',
  'subscribeToPush',
  'unsubscribeFromPush',
  'watchProject',
  'announcePresence',
])

const mutating = operations.filter(
  ({ name, method, access }) =>
    method !== 'GET' &&
    access !== null &&
    !('public' in access) &&
    !('sandbox_key' in access) &&
    !elsewhere.has(name) &&
    !unaudited.has(name) &&
    !ownMarks.has(name),
)

/** One verb writes secrets, whichever route it is reached by. */
const actionOf = (name: string) => (name === 'createSecret' ? 'putSecret' : name)

/** Written before or after the mutation by its own steps, and without a meaning of its own. */
const steps: Readonly<Record<string, readonly string[]>> = {
  archiveProject: ['project_sessions', 'session_sandboxes', 'session_events', 'session_prompts', 'tokens'],
  mergeChangeRequest: ['merge_attempts', 'merge_intents'],
  provisionProject: ['provision_keys'],
  startSession: ['project_sessions'],
  stopSession: ['session_sandboxes'],
  ...Object.fromEntries(
    ['createTrigger', 'updateTrigger', 'deleteTrigger', 'createConnector', 'deleteConnector'].map((name) => [
      name,
      ['manifest_edits'],
    ]),
  ),
}
/** Caches, clocks and counters. */
const bookkeeping = [
  'platform_events',
  'rate_limits',
  'attempt_counts',
  'tokens',
  'trigger_catalogues',
  'project_triggers',
  'project_connectors',
  'users',
]
/** The tables written for the answer to a fire that was kept. */
const afterFire = [
  'trigger_fires',
  'trigger_sessions',
  'project_sessions',
  'session_sandboxes',
  'session_runtimes',
]
const afterFireToo = ['session_events', 'session_prompts', 'project_triggers']

function stepsOf(name: string): readonly string[] {
  const fires = ['fireTrigger', 'redeliverTrigger', 'replayTriggerFire'].includes(name)
  return [...(steps[name] ?? []), ...bookkeeping, ...(fires ? [...afterFire, ...afterFireToo] : [])]
}

async function inputsOf(operation: Operation): Promise<RequestInputs> {
  instant = false
  const more = await prepareFor(operation, { platform, objects })
  instant = operation.name === 'startSession'
  await writes.take()
  return more
}

function send(operation: Operation, more: RequestInputs, request_id: string) {
  const { name, method, path, has_body } = operation
  const json = { ...validBodies[name], ...more.body }
  return platform.call(fillIn(path, { ...objects, ...more.ids }) + queryOf(operation), {
    method,
    token: more.token ?? platform.owner.token,
    headers: { 'x-request-id': request_id },
    ...(has_body ? { json } : {}),
  })
}

const eventsOf = (request_id: string) =>
  platform.database.db.selectFrom('audit_events').selectAll().where('request_id', '=', request_id).execute()

describe.each(mutating)('$name', (operation) => {
  const { name, path } = operation

  test('leaves one event, in the transaction of what it did', async () => {
    const request_id = randomUUID()
    const more = await inputsOf(operation)
    const answer = await send(operation, more, request_id)
    expect(answer.status, answer.text).toBeLessThan(300)
    const events = await eventsOf(request_id)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      action: actionOf(name),
      outcome: 'success',
      actor_type: 'user',
      actor_id: more.user_id ?? platform.owner.user_id,
    })
    for (const [parameter, id] of Object.entries(more.ids ?? {}))
      if (path.includes(`{${parameter}}`)) expect(JSON.stringify(events[0])).toContain(id)
    const written = await writes.take()
    const own = written.find(({ table }) => table === 'audit_events')?.xid
    const together = written.filter(({ xid, table }) => xid === own && !table.startsWith('audit_'))
    expect(together, JSON.stringify(written)).not.toEqual([])
    const apart = written.filter(({ xid, table }) => xid !== own && !stepsOf(name).includes(table))
    expect(apart).toEqual([])
  })

  test('does nothing when its event cannot be written', async () => {
    const request_id = randomUUID()
    const more = await inputsOf(operation)
    const allow = await writes.refuseEventsOf(request_id)
    try {
      expect(await send(operation, more, request_id)).toMatchObject({ status: 500 })
    } finally {
      await allow()
    }
    expect(await eventsOf(request_id)).toEqual([])
    const allowed = [...(steps[name] ?? []), ...bookkeeping]
    const left = (await writes.take()).filter(({ table }) => !allowed.includes(table))
    expect(left).toEqual([])
  })
})
