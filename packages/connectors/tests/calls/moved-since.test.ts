import { connectorCalls, jsonb } from '@svc/db'
import { look, openWorld } from '@svc/services/testing'
import { describe, expect, test } from 'vitest'
import { callConnector, decideApproval, getApproval } from '../../src/index.ts'
import { openExecutor, openPlace, type Place, type Service, startService } from '../support/place.ts'

const world = await openWorld({ session_cap: 500 })
const executor = openExecutor(world)
const [service, another] = [await startService(), await startService()]
const post = { connector: 'tracker', action: 'post', args: { path: '/issues' } } as const

/** A call that a person approved, and that no executor has yet. */
async function approved({ project_id, agent, person }: Place): Promise<string> {
  const outcome = await callConnector(agent, { ...post, project_id, wait_seconds: 0, door: 'executor' })
  const call_id = outcome.call_id ?? ''
  const { digest, address } = await getApproval(person, { project_id, call_id })
  expect(address).toBe(`${service.url}/api`)
  await decideApproval(person, { project_id, call_id, decision: 'approve', digest })
  return call_id
}

/** Merges the manifest with other words in it. */
async function merge({ project, manifest }: Place, change: (text: string) => string): Promise<void> {
  await project.commit('main', { 'svc.yaml': change(manifest) }, 'Change the connector')
  await look(world, project)
}

const ended = async (call_id: string) => {
  await executor.execute({ call_id })
  const { status, reason } = (await connectorCalls.find(world.db, call_id)) ?? {}
  return { status, reason }
}
const askedOf = (one: Service) => one.asked.length

describe('what was approved is not carried out', () => {
  const refused = { status: 'denied', reason: 'connector_changed' }

  test('at another address, where no connection is bound to one', async () => {
    const place = await openPlace(world, executor, service, { auth: false })
    const call_id = await approved(place)
    const before = askedOf(another)
    await merge(place, (text) => text.replace(service.url, another.url))
    expect(await ended(call_id)).toEqual(refused)
    expect(askedOf(another)).toBe(before)
    expect(await place.prompts()).toMatchObject([{ text: expect.stringContaining('connector_changed') }])
  })

  test('below another path of the address that its connection is for', async () => {
    const place = await openPlace(world, executor, service)
    const call_id = await approved(place)
    const before = askedOf(service)
    await merge(place, (text) => text.replace('/api', '/admin'))
    expect(await ended(call_id)).toEqual(refused)
    expect(askedOf(service)).toBe(before)
  })

  test('by another request than its action was made of', async () => {
    const place = await openPlace(world, executor, service)
    const call_id = await approved(place)
    const before = askedOf(service)
    await world.db
      .updateTable('connector_actions')
      .set({ binding: jsonb({ method: 'DELETE' }) })
      .where('project_id', '=', place.project_id)
      .where('action', '=', 'post')
      .execute()
    expect(await ended(call_id)).toEqual(refused)
    expect(askedOf(service)).toBe(before)
  })
})

test('a rule that changed and blocks nothing holds up nothing that was approved', async () => {
  const place = await openPlace(world, executor, service)
  const call_id = await approved(place)
  await merge(place, (text) =>
    text.replace('    name: Tracker', '    name: Tracker\n    timeout_seconds: 30'),
  )
  expect(await ended(call_id)).toMatchObject({ status: 'succeeded' })
})
