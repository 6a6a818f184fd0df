import { mkdir } from 'node:fs/promises'
import type { StandbyParts } from '../runtime.ts'
import { isReadByEvery } from '../read-at-start.ts'
import type { RuntimeStandby } from '../standbys.ts'
import { standbyWord } from '../standby/standby-words.ts'
import { standbyVariable } from './server/late-environment.ts'

/** pi's server, loaded, before there is anything to serve. */
async function prepare(parts: StandbyParts): ReturnType<RuntimeStandby['prepare']> {
  const { workspace, home, env } = parts
  const own = { ...env, HOME: home }
  await mkdir(workspace, { recursive: true })
  return {
    file: 'pi',
    args: [],
    cwd: workspace,
    env: { ...own, [standbyVariable]: '1' },
    isReady: (line) => line.includes(standbyWord),
    prewarm: async (fixture) => {
      // Loaded only where there is time for it.
      const { prewarmPi } = await import('./prewarm.ts')
      return prewarmPi(parts, own, fixture)
    },
  }
}

export const piStandby: RuntimeStandby = { suits: () => true, readsAtStart: isReadByEvery, prepare }
