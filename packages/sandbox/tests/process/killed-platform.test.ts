import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sandboxPaths } from '../../src/providers/process/paths.ts'
import { carriesMarker } from '../../src/providers/process/processes/process-table.ts'
import { processesNaming } from '../../src/testing/host-processes.ts'
import { createStubTools, type StubTools } from '../../src/testing/index.ts'
import { environmentOf } from '../../src/testing/sandbox-client.ts'
import { describeWithBubblewrap } from '../bubblewrap/describe-with-bubblewrap.ts'
import { type Opened, openProvider } from './open-provider.ts'
import type { Order } from './platform-order.ts'
import { startPlatform } from './start-platform.ts'

const Recorded = z.looseObject({ run: z.looseObject({}) })

function describeKilledPlatform(isolation: 'bubblewrap' | 'none'): void {
  describe(`a platform that is killed (isolation ${isolation})`, () => {
    let stub: StubTools
    let opened: Opened

    beforeAll(async () => {
      stub = await createStubTools()
    })

    afterAll(() => stub.remove())

    beforeEach(async () => {
      opened = await openProvider(stub, isolation)
    })

    afterEach(() => opened.dispose())

    const orderFor = (sandbox_id: string): Order => {
      const { agent_bundle, node } = stub.sources
      const tools = { node, agent_bundle, cli_folder: null, runtimes: {} }
      return {
        sandbox_id,
        options: { root: opened.root, scope: 'here', isolation, api_url: 'http://127.0.0.1:1/v1', tools },
      }
    }

    it('leaves its sandboxes running, and the next one manages them', async () => {
      const sandbox_id = randomUUID()
      const platform = await startPlatform(orderFor(sandbox_id))
      expect(await platform.nextLine()).toBe('opened')
      const created: unknown = JSON.parse((await platform.nextLine()) ?? '')
      await platform.kill()
      const { provider } = opened
      const [external_id = ''] = await provider.list()
      expect(await provider.status(external_id)).toBe('running')
      const again = await provider.create({ sandbox_id, environment: { FROM: 'the second platform' } })
      expect(again).toEqual(created)
      expect((await environmentOf(again.endpoint))['FROM']).toBe('the first platform')
      await provider.stop(external_id)
      expect(await provider.status(external_id)).toBe('stopped')
      const { endpoint } = await provider.start(external_id)
      expect((await environmentOf(endpoint))['FROM']).toBe('the second platform')
    })

    it('had not let a process go: the next one starts the sandbox anew', async () => {
      const { provider, root } = opened
      const sandbox_id = randomUUID()
      const { external_id } = await provider.create({ sandbox_id, environment: { FROM: 'the first' } })
      const { state } = sandboxPaths(root, external_id)
      const record = Recorded.parse(JSON.parse(await readFile(state, 'utf8')))
      await writeFile(state, JSON.stringify({ ...record, run: { ...record.run, begun: false } }))
      const { endpoint } = await provider.create({ sandbox_id, environment: { FROM: 'the second' } })
      expect((await environmentOf(endpoint))['FROM']).toBe('the second')
      expect(await daemonsOf(external_id)).toHaveLength(1)
    })

    it.each([0, 5, 10, 20, 30, 45, 60, 90])('does no harm %i ms after it began to create', async (moment) => {
      const sandbox_id = randomUUID()
      const platform = await startPlatform(orderFor(sandbox_id))
      expect(await platform.nextLine()).toBe('opened')
      await sleep(moment)
      await platform.kill()
      const { provider } = opened
      const { external_id, endpoint } = await provider.create({ sandbox_id, environment: {} })
      await environmentOf(endpoint)
      expect(await provider.list()).toEqual([external_id])
      expect(await daemonsOf(external_id)).toHaveLength(1)
      await provider.destroy(external_id)
      expect(await daemonsOf(external_id)).toEqual([])
    })
  })
}

/** The sandbox's daemons, by the marker that their environment carries. */
async function daemonsOf(externalId: string): Promise<readonly number[]> {
  const nodes = await processesNaming('lib/svc-agent.mjs')
  const mine = await Promise.all(nodes.map((pid) => carriesMarker(pid, `SVC_SANDBOX_ID=${externalId}`)))
  return nodes.filter((_, index) => mine[index])
}

describeKilledPlatform('none')

await describeWithBubblewrap('killed platforms', () => describeKilledPlatform('bubblewrap'))
