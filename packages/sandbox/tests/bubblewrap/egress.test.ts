import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorityText } from '../../src/network/authority.ts'
import { createStubTools, type StubTools } from '../../src/testing/index.ts'
import { runIn } from '../../src/testing/sandbox-client.ts'
import { askAllOfProxy } from '../attacks.ts'
import { openOutside, type Outside } from '../egress-outside.ts'
import { environment, openTargets, settings, targets } from '../egress-table.ts'
import { openProvider } from '../process/open-provider.ts'
import { describeWithBubblewrap } from './describe-with-bubblewrap.ts'

await describeWithBubblewrap('egress', () => {
  describe('a sandbox in a bubblewrap', () => {
    let stub: StubTools
    let outside: Outside

    beforeAll(async () => {
      ;[stub, outside] = await Promise.all([createStubTools(), openOutside()])
    })

    afterAll(() => Promise.all([stub.remove(), outside.close()]))

    it.each(Object.entries(settings))('reaches what the rule lets through: %s', async (_, egress) => {
      const opened = await openProvider(stub, 'bubblewrap', {
        egress: { ...egress, connect: outside.connect },
      })
      try {
        const { endpoint } = await opened.provider.create({ sandbox_id: randomUUID(), environment })
        const { output } = await runIn(endpoint, askAllOfProxy(targets.map(authorityText)))
        expect(output.split('\n').filter((line) => line !== '')).toEqual(await openTargets(egress))
      } finally {
        await opened.dispose()
      }
    })
  })
})
