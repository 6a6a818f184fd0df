import type { z } from 'zod'
import type { ProviderChoice } from '../choose-provider.ts'
import { defaultLimits } from '../shared/default-limits.ts'
import type { ToolSources } from '../shared/tools/tools.ts'
import type { sandboxEnv } from './sandbox-env.ts'

export type SandboxSettings = z.infer<z.ZodObject<typeof sandboxEnv>> & {
  readonly DATABASE_URL?: string | undefined
  readonly SVC_DATABASE_DIRECT_URL?: string | undefined
  readonly REDIS_URL?: string | undefined
  readonly SVC_ALLOW_PRIVATE_ADDRESSES: boolean
}

export interface SandboxPlace {
  readonly api_url: string
  readonly tools: ToolSources
  readonly boot_bundle: string
  /** Addresses of the platform that no sandbox may reach, beside those of its PostgreSQL and its Redis. */
  readonly internal_urls?: readonly string[]
  readonly own_ports?: readonly number[]
}

/** The choice that settings make of how sandboxes are made, but for their folder and their scope. */
export function sandboxChoice(
  env: SandboxSettings,
  { internal_urls = [], ...place }: SandboxPlace,
): Omit<ProviderChoice, 'root' | 'scope' | 'log'> {
  const own = [env.DATABASE_URL, env.SVC_DATABASE_DIRECT_URL, env.REDIS_URL].flatMap((url) => url ?? [])
  return {
    ...place,
    SVC_SANDBOX_PROVIDER: env.SVC_SANDBOX_PROVIDER,
    settings: env,
    egress: {
      mode: env.SVC_SANDBOX_EGRESS,
      forbidden_urls: [...own, ...internal_urls],
      private_repositories: env.SVC_ALLOW_PRIVATE_ADDRESSES,
    },
    default_limits: defaultLimits(env),
  }
}
