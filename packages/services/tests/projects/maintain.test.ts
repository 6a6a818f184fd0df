import { randomBytes } from 'node:crypto'
import { projects, repositories } from '@svc/db'
import { expect, test } from 'vitest'
import { maintainRepository } from '../../src/index.ts'
import { makeProject } from '../../src/testing/projects.ts'
import { openWorld } from '../../src/testing/world.ts'

const world = await openWorld()
const project = await makeProject(world)
const { project_id } = project
const size = () => repositories.sizeOf(world.db, project_id)

test('upkeep notes how much room a managed repository takes', async () => {
  expect(await size()).toBeNull()
  await maintainRepository(world.worker(), { project_id })
  const first = await size()
  await project.commit('main', { large: randomText() }, 'Grow')
  await maintainRepository(world.worker(), { project_id })
  expect((await size())?.bytes).toBeGreaterThanOrEqual((first?.bytes ?? 0) + 64 * 1024)
})

test('an archived project is left alone', async () => {
  const before = await size()
  await projects.archive(world.db, project_id, world.clock.now())
  await project.commit('main', { larger: randomText() }, 'Grow')
  await maintainRepository(world.worker(), { project_id })
  expect(await size()).toEqual(before)
})

/** Text that no compression makes smaller than 64 KiB. */
function randomText(): string {
  return randomBytes(64 * 1024).toString('base64')
}
