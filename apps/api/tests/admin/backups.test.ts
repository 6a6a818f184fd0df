import { backups } from '@svc/db'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'
import { serve } from '../support/serve.ts'

const target = 's3://copies/svc'
const { ask, platform } = await openWorld({ backup_target: target })
const { db } = platform.parts
const path = '/v1/admin/backups'

test('one that is asked for waits for a scheduler, and no second one is taken meanwhile', async () => {
  const asked = await ask('POST', path)
  expect(asked).toMatchObject({ status: 202, body: { backup_id: expect.any(String) } })
  const backup_id = asked.pick('backup_id')
  expect(await ask('POST', path)).toMatchObject({ status: 409, body: { code: 'BACKUP_RUNNING' } })
  const first = Object((await ask('GET', path)).body)
  expect(first).toEqual({
    backups: [
      {
        ...{ backup_id, name: expect.stringMatching(/^svc-backup-/), state: 'running', target },
        ...{ started_at: expect.any(String), finished_at: null, bytes: null, error: null, missing: null },
      },
    ],
    next_cursor: null,
  })
  const { events } = Object((await ask('GET', '/v1/admin/audit')).body)
  expect(events).toMatchObject([{ action: 'startBackup', target: `admin/backups/${backup_id}` }])

  await backups.claim(db, { target }, new Date())
  await backups.finish(db, backup_id, { bytes: 12, missing: [] }, new Date())
  expect((await ask('POST', path)).status).toBe(202)
  const page = Object((await ask('GET', `${path}?limit=1`)).body)
  const next = Object((await ask('GET', `${path}?limit=1&cursor=${page.next_cursor}`)).body)
  expect(next).toMatchObject({ backups: [{ backup_id, state: 'done', bytes: 12 }], next_cursor: null })
  expect(Object((await ask('GET', '/v1/admin/overview')).body).last_backup_at).not.toBe(null)
})

test('without a place none can be asked for', async () => {
  const api = await serve({ ...platform, parts: { ...platform.parts, backup_target: undefined } })
  afterAll(() => api.close())
  const { token } = platform.owner
  const answer = await fetch(`${api.origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'BACKUP_NOT_CONFIGURED' }])
})
