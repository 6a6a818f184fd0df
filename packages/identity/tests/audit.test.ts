import { putSecret } from '@svc/services'
import { makeProject, openWorld } from '@svc/services/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createGatewayKey, createToken } from '../src/index.ts'

const world = await openWorld()

test('no event holds a secret', async () => {
  const own = await makeProject(world)
  const { ctx, project_id } = own
  const { token } = await createToken(ctx, { name: 'x' })
  const key = await createGatewayKey(ctx, { project_id, name: 'x' })
  await putSecret(ctx, { project_id, name: 'KEY', value: 'the secret value' })
  const { rows } = await sql<{ dump: string }>`select e::text as dump from audit_events e`.execute(world.db)
  const dump = JSON.stringify(rows)
  for (const secret of [token, key.token, 'the secret value']) expect(dump).not.toContain(secret)
})
