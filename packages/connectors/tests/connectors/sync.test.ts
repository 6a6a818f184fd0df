import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import { syncActions } from '../../src/index.ts'
import { openExecutor, openPlace, startService } from '../support/place.ts'

const world = await openWorld()
const executor = openExecutor(world)
const service = await startService()

test('a service that takes long is not waited for by the one who asks', async () => {
  const { person, project_id } = await openPlace(world, executor, service)
  const key = { project_id, slug: 'tracker' }
  let answer = () => {}
  const slow = {
    ...person,
    executor: {
      ...executor,
      sync: async () => {
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        await executor.sync(key)
      },
    },
  }
  expect(await syncActions(slow, key, 50)).toMatchObject({ is_read: false, connector: { slug: 'tracker' } })
  answer()
  expect(await syncActions(person, key)).toMatchObject({
    ...{ is_read: true, connector: { status: 'ready', actions: 6 } },
  })
})

test('what cannot be asked is refused, and not taken for slow', async () => {
  const { person, project_id } = await openPlace(world, executor, service)
  const sync = () => Promise.reject(new Error('No executor'))
  const gone = { ...person, executor: { ...executor, sync } }
  await expect(syncActions(gone, { project_id, slug: 'tracker' })).rejects.toThrow('No executor')
})
