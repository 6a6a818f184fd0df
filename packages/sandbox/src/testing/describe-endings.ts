import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { ProviderFixture } from './describe-sandbox-provider.ts'
import { processesNaming } from './host-processes.ts'
import { call, environmentOf, post, runIn, until } from './sandbox-client.ts'
import { realTests, spec } from './real-test.ts'

/** A number of seconds that no other process sleeps, to find ours by. */
const newMarker = () => `90000.${randomUUID().replace(/\D/g, '').slice(0, 12)}`

/** The promises about the end of a sandbox: nothing stays alive, and how it ended is known. */
export function describeEndings(current: () => ProviderFixture): void {
  const real = realTests(current)

  describe('how it ends', () => {
    real(
      'leaves nothing alive, not even what left its session and forgot its environment',
      async ({ provider }) => {
        const { external_id, endpoint } = await provider.create(spec())
        const marker = newMarker()
        await call(endpoint, '/leave-behind', `setsid sleep ${marker} & sleep ${marker}`)
        await until(
          'two sleepers',
          () => processesNaming(marker),
          (pids) => pids.length >= 2,
        )
        await provider.stop(external_id)
        expect(await processesNaming(marker)).toEqual([])
      },
    )

    real('leaves nothing alive after it was destroyed', async ({ provider }) => {
      const { external_id, endpoint } = await provider.create(spec())
      const marker = newMarker()
      await call(endpoint, '/leave-behind', `sleep ${marker}`)
      await until(
        'a sleeper',
        () => processesNaming(marker),
        (pids) => pids.length > 0,
      )
      await provider.destroy(external_id)
      expect(await processesNaming(marker)).toEqual([])
    })

    real('ends what a dead daemon left behind before it starts again', async ({ provider, crash }) => {
      const { external_id, endpoint } = await provider.create(spec())
      const marker = newMarker()
      await runIn(endpoint, `setsid sleep ${marker} > /dev/null 2>&1 &`)
      await until(
        'a sleeper',
        () => processesNaming(marker),
        (pids) => pids.length > 0,
      )
      await crash(external_id)
      await until(
        'stopped',
        () => provider.status(external_id),
        (status) => status === 'stopped',
      )
      await provider.start(external_id)
      expect(await processesNaming(marker)).toEqual([])
    })

    real(
      'stopping ends what a dead daemon left behind, and keeps its last words',
      async ({ provider, crash }) => {
        const { external_id, endpoint } = await provider.create(spec())
        const marker = newMarker()
        await runIn(endpoint, `setsid sleep ${marker} > /dev/null 2>&1 &`)
        await until(
          'a sleeper',
          () => processesNaming(marker),
          (pids) => pids.length > 0,
        )
        await crash(external_id)
        await until(
          'stopped',
          () => provider.status(external_id),
          (status) => status === 'stopped',
        )
        const words = await provider.exitReport(external_id)
        expect(words.exit).not.toBeNull()
        await provider.stop(external_id)
        expect(await processesNaming(marker)).toEqual([])
        expect(await provider.exitReport(external_id)).toEqual(words)
      },
    )

    real('its last words are those of its last run', async ({ provider, crash }) => {
      const { external_id, endpoint } = await provider.create(spec())
      await environmentOf(endpoint)
      await provider.stop(external_id)
      await environmentOf((await provider.start(external_id)).endpoint)
      await crash(external_id)
      await until(
        'stopped',
        () => provider.status(external_id),
        (status) => status === 'stopped',
      )
      const { output } = await provider.exitReport(external_id)
      expect(output.match(/stub agent listening/g)).toHaveLength(1)
    })

    real('remembers how the daemon exited', async ({ provider }) => {
      const { external_id, endpoint } = await provider.create(spec())
      await environmentOf(endpoint)
      // Its answer may be lost on the way, with what it ran in.
      await post(endpoint, '/exit', '7').catch(() => null)
      await until(
        'stopped',
        () => provider.status(external_id),
        (status) => status === 'stopped',
      )
      expect(await provider.exitReport(external_id)).toMatchObject({
        exit: 'exited with code 7',
        output: expect.stringContaining('stub agent listening'),
      })
    })
  })
}
