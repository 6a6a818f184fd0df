import { z } from 'zod'
import type { ExecutorAddress } from './connectors/client.ts'
import { executorOf } from './connectors/tools.ts'

/** The daemon's settings for the program that runs pi. They hold no key: keys are named and stay in the environment. */
export const PiSettings = z.object({
  host: z.string(),
  port: z.number().int(),
  authorization: z.string(),
  workspace: z.string(),
  /** The agents and skills of the repository, which may not be there yet. */
  config_dir: z.string(),
  /** pi's own folder: sessions and whatever it keeps. */
  agent_dir: z.string(),
  /** A file that is there once the repository is whole; the agent's tools wait for it. */
  arrival: z.string(),
  instructions: z.string(),
  gateway: z
    .object({
      provider: z.string(),
      base_url: z.string(),
      key_variable: z.string(),
      models: z.array(z.object({ id: z.string(), context: z.number(), output: z.number() })),
    })
    .nullable(),
  /** Skills that the agent may use; null is every one. */
  skills: z.array(z.string()).nullable(),
})
export type PiSettings = z.infer<typeof PiSettings> & {
  /** Of a session that has connectors; from the environment, since it holds the session's token. */
  readonly executor?: ExecutorAddress | undefined
}

export const settingsVariable = 'SVC_PI_SETTINGS'

/** Taken out of the environment as well, since every command of the agent inherits that. */
export function takeSettings(env: NodeJS.ProcessEnv): PiSettings {
  const text = env[settingsVariable]
  if (text === undefined) throw new Error(`This program is started by svc-agent, with ${settingsVariable}`)
  Reflect.deleteProperty(env, settingsVariable)
  return { ...PiSettings.parse(JSON.parse(text)), executor: executorOf(env) }
}
