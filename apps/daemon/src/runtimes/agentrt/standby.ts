import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultConfigDir } from '@svc/facts'
import { saysItListens } from '../http-server.ts'
import type { StandbyParts } from '../runtime.ts'
import { isReadByEvery } from '../read-at-start.ts'
import type { RuntimeStandby } from '../standbys.ts'
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
async function prepare(parts: StandbyParts): ReturnType<RuntimeStandby['prepare']> {
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
    prewarm: async (fixture) => {
      // Loaded only where there is time for it.
      const { prewarmAgentrt } = await import('./prewarm.ts')
      return prewarmAgentrt(parts, own, fixture)
    },
  }
}

export const agentrtStandby: RuntimeStandby = {
  suits: (env) =>
    !needsCatalogue(Boolean(env['SVC_LLM_BASE_URL']), (env['SVC_PROJECT_SECRET_NAMES'] ?? '').split(',')),
  // Its settings it looks up for each project anew.
  readsAtStart: (variable) =>
    isReadByEvery(variable) || (variable.startsWith('OPENCODE_') && variable !== 'OPENCODE_CONFIG_CONTENT'),
  prepare,
}
