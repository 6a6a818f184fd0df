import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultConfigDir } from '../../manifest/default-config-dir.ts'
import type { WaitingParts } from '../runtime.ts'
import type { WaitingLaunch } from '../waiting.ts'
import { emptyCatalogue, fixedEnvironment, ownConfig, serveArguments } from './fixed-environment.ts'
import { lateEnvironment } from './late-environment.ts'
import { preseedConfigDir } from './preseed.ts'
import { baseSettings } from './settings.ts'

/** The server for a session with a model gateway and a folder of settings at the usual place, as most have. */
export async function waitingAgentrt(parts: WaitingParts): Promise<WaitingLaunch> {
  const { workspace, home, secret, env } = parts
  const [catalogue, late] = await Promise.all([
    emptyCatalogue(home),
    lateEnvironment(home),
    preseedConfigDir(ownConfig(home)),
    mkdir(workspace, { recursive: true }),
  ])
  await writeFile(join(ownConfig(home), 'opencode.json'), JSON.stringify(baseSettings([])))
  return {
    file: 'agentrt',
    args: serveArguments(parts),
    cwd: workspace,
    env: {
      ...env,
      ...fixedEnvironment(home),
      HOME: home,
      PWD: workspace,
      OPENCODE_CONFIG_DIR: join(workspace, defaultConfigDir),
      OPENCODE_SERVER_PASSWORD: secret,
      OPENCODE_MODELS_PATH: catalogue,
      ...late,
    },
    isReady: (line) => line.includes('listening on'),
  }
}
