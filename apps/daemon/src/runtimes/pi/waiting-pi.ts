import { mkdir } from 'node:fs/promises'
import type { WaitingParts } from '../runtime.ts'
import type { RuntimeStandby } from '../standbys.ts'
import type { WaitingLaunch } from '../waiting.ts'
import { waitsWord } from '../waiting-words.ts'
import { waitsVariable } from './server/late-environment.ts'

/** pi's server, loaded, before there is anything to serve. */
async function prepare(parts: WaitingParts): Promise<WaitingLaunch> {
  const { workspace, home, env } = parts
  const own = { ...env, HOME: home }
  await mkdir(workspace, { recursive: true })
  return {
    file: 'pi',
    args: [],
    cwd: workspace,
    env: { ...own, [waitsVariable]: '1' },
    isReady: (line) => line.includes(waitsWord),
    rehearsal: async (stage) => {
      // Loaded only where there is time for it.
      const { rehearsalOfPi } = await import('./rehearsal.ts')
      return rehearsalOfPi(parts, own, stage)
    },
  }
}

export const piStandby: RuntimeStandby = { suits: () => true, prepare }
