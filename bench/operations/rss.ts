import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment } from '../../apps/standalone/tests/support/platform/deployment.ts'
import { runBench } from '../report.ts'
import { openDeployed } from './deployed.ts'

/** Memory of each service: idle, and after an hour of work. */
await runBench('operations/rss', async ({ quick }) => {
  const deployed = await openDeployed()
  try {
    await sleep(quick ? 10_000 : 120_000)
    const idle = await memoryOf(deployed.deployment)
    await deployed.load(quick ? 30 : 3_600, 8)
    await sleep(quick ? 5_000 : 60_000)
    const after = await memoryOf(deployed.deployment)
    const verdicts = Object.entries(idle).map(([service, mb]) => ({
      what: `memory of ${service}`,
      promise: 'a figure',
      measured: `${mb} MB idle, ${after[service]} MB after the load`,
      held: true,
    }))
    return { verdicts, figures: { unit: 'MB', idle, after } }
  } finally {
    await deployed.close()
  }
})

async function memoryOf({ services }: Deployment): Promise<Record<string, number>> {
  const read = services.map(async ({ name, child }) => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    return [name, Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)] as const
  })
  return Object.fromEntries(await Promise.all(read))
}
