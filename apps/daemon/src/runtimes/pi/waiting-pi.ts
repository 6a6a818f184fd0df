import { mkdir } from 'node:fs/promises'
import type { WaitingParts } from '../runtime.ts'
import type { WaitingLaunch } from '../waiting.ts'
import { waitsWord } from '../waiting-words.ts'
import { waitsVariable } from './server/late-environment.ts'

/** pi's server, loaded, before there is anything to serve. */
export async function waitingPi({ workspace, home, env }: WaitingParts): Promise<WaitingLaunch> {
  await mkdir(workspace, { recursive: true })
  return {
    file: 'pi',
    args: [],
    cwd: workspace,
    env: { ...env, HOME: home, [waitsVariable]: '1' },
    isReady: (line) => line.includes(waitsWord),
  }
}
