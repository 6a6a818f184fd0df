import { join } from 'node:path'
import { rehearsalClient } from '../opencode-wire/rehearsal-client.ts'
import { type Rehearsal, rehearsed, type Stage } from '../rehearsal.ts'
import type { WaitingParts } from '../runtime.ts'
import { type PiSettings, settingsVariable } from './server/settings.ts'

/** The waiting program serves a made-up session, and ends that before it takes its own. */
export function rehearsalOfPi(
  { host, port, secret }: Pick<WaitingParts, 'host' | 'port' | 'secret'>,
  env: Readonly<Record<string, string>>,
  stage: Stage,
): Rehearsal {
  const { folder, workspace, config_dir, model_url } = stage
  const authorization = `Bearer ${secret}`
  const agent_dir = join(folder, 'pi')
  const settings: PiSettings = {
    ...{ host, port, authorization, workspace, config_dir, agent_dir },
    // It is there: nothing is waited for.
    arrival: workspace,
    instructions: 'This is a rehearsal.',
    gateway: {
      provider: rehearsed.provider,
      base_url: model_url,
      key_variable: 'none',
      models: [{ id: rehearsed.model, context: 128_000, output: 16_384 }],
    },
    skills: [],
  }
  return {
    client: rehearsalClient({ host, port }, authorization, stage),
    env: { ...env, PI_CODING_AGENT_DIR: agent_dir, [settingsVariable]: JSON.stringify(settings) },
    // All of it is in the folder, and in a server that ends with the rehearsal.
    forget: async () => undefined,
  }
}
