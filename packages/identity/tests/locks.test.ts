import { createSession, putSecret } from '@svc/services'
import { makeProject, openWorld } from '@svc/services/testing'
import { test } from 'vitest'
import { createProjectToken, createToken } from '../src/index.ts'

const world = await openWorld()

test('tokens, sessions and secrets of one account do not lock each other out', async () => {
  const { ctx, project_id } = await makeProject(world)
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => [
      createToken(ctx, { name: 'x' }),
      createProjectToken(ctx, { project_id }),
      createSession(ctx, { project_id, respond_async: false, body: { initial_prompt: 'x' } }),
      putSecret(ctx, { project_id, name: `KEY_${index}`, value: 'x' }),
    ]).flat(),
  )
})
