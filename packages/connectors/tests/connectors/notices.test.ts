import type { ListenPayloads } from '@svc/db'
import { openWorld } from '@svc/services/testing'
import { expect, test } from 'vitest'
import {
  callConnector,
  decideApproval,
  deleteConnection,
  getApproval,
  listConnections,
} from '../../src/index.ts'
import { openExecutor, openPlace, startService } from '../support/place.ts'

const world = await openWorld({ session_cap: 100 })
const executor = openExecutor(world)
const service = await startService()

test('the pages of a project learn of its connectors, connections and approvals, by ids alone', async () => {
  const changes: ListenPayloads['change'][] = []
  const stop = world.base.listener.subscribe('change', (change) => change && changes.push(change))
  const place = await openPlace(world, executor, service)
  const { project_id, person, agent } = place
  const of = (kind: string) =>
    changes.filter((change) => change.project_id === project_id && change.kind === kind).map(({ id }) => id)
  const [connection] = (await listConnections(person, { project_id, slug: 'tracker' })).connections
  const connection_id = connection?.connection_id ?? ''
  await expect.poll(() => of('connection')).toEqual([connection_id])
  await expect.poll(() => new Set(of('connector'))).toEqual(new Set(['tracker']))
  const { call_id = '' } = await callConnector(agent, {
    ...{ project_id, connector: 'tracker', action: 'post', args: { path: '/x' }, wait_seconds: 0 },
    door: 'executor',
  })
  await expect.poll(() => of('approval')).toEqual([call_id])
  const { digest } = await getApproval(person, { project_id, call_id })
  await decideApproval(person, { project_id, call_id, digest, decision: 'deny' })
  await expect.poll(() => of('approval')).toEqual([call_id, call_id])
  await deleteConnection(person, { project_id, slug: 'tracker', connection_id })
  await expect.poll(() => of('connection')).toEqual([connection_id, connection_id])
  expect(of('unknown_call')).toEqual([])
  stop()
})
