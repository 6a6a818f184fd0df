import { readFile, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStubTools, type StubTools } from '../../src/testing/index.ts'
import { environmentOf } from '../../src/testing/sandbox-client.ts'
import { openProvider } from './open-provider.ts'

let stub: StubTools

/** A daemon that does not end when it is asked to. */
beforeAll(async () => {
  stub = await createStubTools()
  const { agent_bundle } = stub.sources
  await writeFile(agent_bundle, `process.on('SIGTERM', () => {})\n${await readFile(agent_bundle, 'utf8')}`)
})
afterAll(() => stub.remove())

test('a platform in a force waits for no daemon, also not where a stop is under way', async () => {
  const { provider, dispose } = await openProvider(stub, 'none', { grace_ms: 600_000 })
  const made = [randomUUID(), randomUUID()].map((sandbox_id) =>
    provider.create({ sandbox_id, environment: {} }),
  )
  const [one, two] = await Promise.all(made)
  if (!one || !two) throw new Error('They were not made')
  await Promise.all([environmentOf(one.endpoint), environmentOf(two.endpoint)])
  const stopping = provider.stop(one.external_id)
  const force = new AbortController()
  const closing = provider.close({ stop_sandboxes: true, force: force.signal })
  force.abort()
  await Promise.all([stopping, closing])
  expect(await Promise.all([one, two].map(({ external_id }) => provider.status(external_id)))).toEqual([
    'stopped',
    'stopped',
  ])
  await dispose()
})
