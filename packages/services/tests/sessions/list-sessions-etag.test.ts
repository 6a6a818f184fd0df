import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listSessions, updateSession } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { newSession } from '../../src/testing/sessions.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()

/** A change of each thing that is shown; ids and the rest that never change are left out. */
const changes: readonly (readonly [table: string, change: string])[] = [
  ['project_sessions', `base_ref = 'other'`],
  [
    'project_sessions',
    `status = 'failed', failure = '{"category":"timeout","message":"x","retryable":true}', stopped_at = now()`,
  ],
  ['project_sessions', `failure = '{"category":"timeout","message":"y","retryable":true}'`],
  ['project_sessions', `stop_reason = 'idle'`],
  ['project_sessions', `agent_name = 'other'`],
  ['project_sessions', `model = 'a/b'`],
  ['project_sessions', `name = 'named'`],
  ['project_sessions', `metadata = '{"a":1}'`],
  ['project_sessions', `origin = 'api'`],
  ['project_sessions', `origin_ref = 'ref'`],
  ['project_sessions', `labels = '{a}'`],
  ['project_sessions', `labels = '{a,b}'`],
  ['project_sessions', `parent_session_id = session_id`],
  ['project_sessions', `visibility = 'project'`],
  ['project_sessions', `created_at = created_at - interval '1 millisecond'`],
  ['project_sessions', `updated_at = updated_at + interval '1 millisecond'`],
  ['project_sessions', `started_at = now()`],
  ['project_sessions', `stopped_at = stopped_at + interval '1 millisecond'`],
  ['session_sandboxes', `provider = 'process'`],
  ['session_sandboxes', `external_id = session_id::text`],
  ['session_sandboxes', `runtime_session_id = 'ses'`],
  ['session_sandboxes', `status = 'archived'`],
  ['session_sandboxes', `error = 'gone'`],
]

test('the ETag of a page changes with everything that is shown, and with nothing else', async () => {
  const project = await makeProject(world)
  const { ctx, project_id } = project
  await newSession(world, project)
  const read = async (if_none_match?: string) => listSessions(ctx, { project_id, limit: 5, if_none_match })
  let before = await read()
  for (const [table, change] of changes) {
    await sql`update ${sql.table(table)} set ${sql.raw(change)}`.execute(world.db)
    const after = await read(before.etag)
    expect(after, change).toMatchObject({ kind: 'page' })
    expect(after.etag, change).not.toBe(before.etag)
    expect(await read(after.etag), change).toEqual({ kind: 'unchanged', etag: after.etag })
    before = after
  }
  await sql`update project_sessions set last_event_seq = last_event_seq + 1, wakes_after_exit = 1`.execute(
    world.db,
  )
  await sql`update session_sandboxes set last_active_at = now(), lease_expires_at = now()`.execute(world.db)
  expect((await read(before.etag)).kind).toBe('unchanged')
})

test('an empty page has an ETag, and so has one that a further session follows', async () => {
  const project = await makeProject(world)
  const { ctx, project_id } = project
  const read = (limit: number, if_none_match?: string) =>
    listSessions(ctx, { project_id, limit, if_none_match })
  const empty = await read(1)
  expect(await read(1, empty.etag)).toEqual({ kind: 'unchanged', etag: empty.etag })
  const first = await newSession(world, project)
  const one = await read(1, empty.etag)
  expect(one).toMatchObject({ kind: 'page', next_cursor: null })
  world.clock.advance(1000)
  await newSession(world, project)
  const two = await read(1, one.etag)
  expect(two).toMatchObject({ kind: 'page', next_cursor: expect.any(String) })
  await updateSession(ctx, { ...first.key, name: 'renamed' })
  expect((await read(2, two.etag)).kind).toBe('page')
})
