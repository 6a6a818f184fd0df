import { join } from 'node:path'
import { prewarmClient } from '../opencode-wire/prewarm-client.ts'
import { type PrewarmTarget, prewarmNames, type PrewarmFixture } from '../standby/prewarm-target.ts'
import type { StandbyParts } from '../runtime.ts'
import { type PiSettings, settingsVariable } from './server/settings.ts'

/** The waiting program serves a made-up session, and ends that before it takes its own. */
export function prewarmPi(
  { host, port, secret }: Pick<StandbyParts, 'host' | 'port' | 'secret'>,
  env: Readonly<Record<string, string>>,
  fixture: PrewarmFixture,
): PrewarmTarget {
  const { folder, workspace, config_dir, model_url } = fixture
  const authorization = `Bearer ${secret}`
  const agent_dir = join(folder, 'pi')
  const settings: PiSettings = {
    ...{ host, port, authorization, workspace, config_dir, agent_dir },
    // It is there: nothing is waited for.
    arrival: workspace,
    instructions: 'This is a prewarming.',
    gateway: {
      provider: prewarmNames.provider,
      base_url: model_url,
      key_variable: 'none',
      models: [{ id: prewarmNames.model, context: 128_000, output: 16_384 }],
    },
    skills: [],
  }
  return {
    client: prewarmClient({ host, port }, authorization, fixture),
    env: { ...env, PI_CODING_AGENT_DIR: agent_dir, [settingsVariable]: JSON.stringify(settings) },
    // All of it is in the folder, and in a server that ends with the prewarming.
    forget: async () => undefined,
  }
}
