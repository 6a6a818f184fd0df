import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultConfigDir } from '@svc/facts'
import { saysItListens } from '../http-server.ts'
import type { WaitingParts } from '../runtime.ts'
import type { RuntimeStandby } from '../standbys.ts'
import type { WaitingLaunch } from '../waiting.ts'
import {
  baseConfig,
  emptyCatalogue,
  fixedEnvironment,
  needsCatalogue,
  ownConfig,
  serveArguments,
} from './fixed-environment.ts'
import { lateEnvironment } from './late-environment.ts'
import { preseedConfigDir } from './preseed.ts'
import { baseSettings } from './settings.ts'

/** The server for a session with a model gateway and a folder of settings at the usual place, as most have. */
async function prepare(parts: WaitingParts): Promise<WaitingLaunch> {
  const { workspace, home, secret, env } = parts
  const [catalogue, late] = await Promise.all([
    emptyCatalogue(home),
    lateEnvironment(home),
    preseedConfigDir(ownConfig(home)),
    mkdir(workspace, { recursive: true }),
  ])
  await writeFile(baseConfig(home), JSON.stringify(baseSettings([])))
  const own = {
    ...env,
    ...fixedEnvironment(home),
    HOME: home,
    PWD: workspace,
    OPENCODE_CONFIG_DIR: join(workspace, defaultConfigDir),
    OPENCODE_SERVER_PASSWORD: secret,
    OPENCODE_MODELS_PATH: catalogue,
  }
  return {
    file: 'agentrt',
    args: serveArguments(parts),
    cwd: workspace,
    env: { ...own, ...late },
    isReady: saysItListens,
    rehearsal: async (stage) => {
      // Loaded only where there is time for it.
      const { rehearsalOfAgentrt } = await import('./rehearsal.ts')
      return rehearsalOfAgentrt(parts, own, stage)
    },
  }
}

export const agentrtStandby: RuntimeStandby = {
  suits: (env) =>
    !needsCatalogue(Boolean(env['SVC_LLM_BASE_URL']), (env['SVC_PROJECT_SECRET_NAMES'] ?? '').split(',')),
  prepare,
}
