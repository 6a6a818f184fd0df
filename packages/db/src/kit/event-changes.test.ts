import { expect, test } from 'vitest'
import * as changeRequests from '../change-requests/change-requests.ts'
import * as merges from '../change-requests/merges.ts'
import type { Db } from '../database.ts'
import * as previews from '../previews/previews.ts'
import * as projects from '../projects/projects.ts'
import { sandboxColumns } from '../sandboxes/sandbox-changes.ts'
import * as sandboxes from '../sandboxes/sandboxes.ts'
import * as warmSandboxes from '../sandboxes/warm-sandboxes.ts'
import { sessionColumns } from '../sessions/session-changes.ts'
import * as sessions from '../sessions/sessions.ts'
import * as manifestEdits from '../triggers/manifest-edits.ts'
import * as triggerDeliveries from '../triggers/trigger-deliveries.ts'

const at = new Date('2026-03-04T05:06:07Z')

/** Judged by tsc and never called: no caller says which status an event leads to, or writes a column of its own. */
export async function refusedByTypes(db: Db, id: string): Promise<void> {
  const by = { closed_by: id }
  // @ts-expect-error: the status follows from the event
  await changeRequests.apply(db, id, 'close', { status: 'merged' }, at)
  // @ts-expect-error: so it does beside what the event has to be told
  await changeRequests.apply(db, id, 'close', { ...by, status: 'closed' }, at)
  // @ts-expect-error: the moment is the event's own
  await changeRequests.apply(db, id, 'close', { ...by, closed_at: at }, at)
  // @ts-expect-error: a merge has to say what was merged
  await changeRequests.apply(db, id, 'merge', by, at)
  // @ts-expect-error: the status follows from the event
  await sessions.apply(db, id, 'stop', { stop_reason: 'user', status: 'running' }, at)
  // @ts-expect-error: a session that fails says why
  await sessions.apply(db, id, 'fail', {}, at)
  // @ts-expect-error: these columns are written by events alone
  await sessions.patch(db, { project_id: id, session_id: id }, { stopped_at: at })
  // @ts-expect-error: an active sandbox has an endpoint
  await sandboxes.apply(db, id, 'activate', { error: null }, at)
  // @ts-expect-error: the status is no patch
  await sandboxes.patch(db, id, { status: 'active' })
  // @ts-expect-error: the status is no patch
  await projects.patch(db, id, { status: 'archived' })
  // @ts-expect-error: an attempt that is refused says why
  await merges.finishAttempt(db, id, { event: 'refuse', outcome: merge }, at)
  // @ts-expect-error: the kind of its outcome follows from the event
  await merges.finishAttempt(db, id, { event: 'merge', outcome: { ...merge, kind: 'refused' } }, at)
  // @ts-expect-error: a plan is moved or abandoned, and never planned again
  await merges.settleIntent(db, id, 'planned')
  // @ts-expect-error: an edit that is finished names its commit
  await manifestEdits.finish(db, id, { event: 'finish', outcome: {} }, at)
  // @ts-expect-error: the kind of its outcome follows from the event
  await manifestEdits.finish(db, id, { event: 'refuse', outcome: { ...refusal, kind: 'done' } }, at)
  // @ts-expect-error: a delivery that was accepted is not refused afterwards
  await triggerDeliveries.apply(db, id, 'refuse', 'late')
  // @ts-expect-error: the state follows from the event
  await warmSandboxes.markReady(db, id, { ...place, state: 'claimed' }, at)
  // @ts-expect-error: one that waits has a place
  await warmSandboxes.markReady(db, id, { external_id: id }, at)
  // @ts-expect-error: an opened preview has its state from the event
  await previews.open(db, { label: id, secret_hash }, { secret_hash, expires_at: at, state: 'ticket' }, at)
}

const merge = { merge_commit_sha: 'a', fast_forward: false, base_sha_before: 'b', base_sha_after: 'a' }
const refusal = { code: 'conflict', message: 'no', details: {} }
const place = { external_id: 'x', endpoint: 'http://x', sealed_endpoint: null }
const secret_hash = Buffer.alloc(32)

test('a session that runs again has no reason to have stopped', () => {
  const none = { stopped_at: null, stop_reason: null, failure: null }
  expect(sessionColumns('ready', {}, at)).toEqual({ started_at: at, ...none })
  expect(sessionColumns('restart', {}, at)).toEqual({ provisioning_at: at, ...none })
})

test('a sandbox that is put aside keeps its name, one that is removed does not', () => {
  expect(sandboxColumns('renew', { is_removed: false }, at)).toMatchObject({ renew: true, endpoint: null })
  expect(sandboxColumns('renew', { is_removed: false }, at)).not.toHaveProperty('external_id')
  expect(sandboxColumns('renew', { is_removed: true }, at)).toMatchObject({ renew: false, external_id: null })
})
