import { type RuntimeBinaryVariable, runtimePrograms } from '@svc/facts'
import { z } from 'zod'
import { egressModes } from '../network/egress.ts'
import { providerOrder } from '../provider-order.ts'
import { providerSettings } from '../providers/registry.ts'
import { limitSettings } from '../shared/default-limits.ts'
import { deploymentEnv } from './deployment-env.ts'

/** Settings for every process that makes sandboxes. */
export const sandboxEnv = {
  SVC_SANDBOX_PROVIDER: providerOrder()
    .default('auto')
    .describe('how sandboxes are made: a provider, or several in order'),
  ...limitSettings,
  ...providerSettings,
  SVC_DEPLOYMENT: deploymentEnv.SVC_DEPLOYMENT,
  SVC_SANDBOX_EGRESS: z
    .enum(egressModes)
    .default('open')
    .describe('what sandboxes reach beside the platform: the public internet, or nothing'),
  ...runtimeBinarySettings(),
}

type BinarySettings = Record<RuntimeBinaryVariable, z.ZodOptional<z.ZodString>>

/** The one place where the variables of runtimes become keys: Object.fromEntries forgets which they are. */
function runtimeBinarySettings(): BinarySettings {
  const settings = Object.entries(runtimePrograms).flatMap(([name, program]) => {
    if (!('npm_package' in program)) return []
    const path = z.string().min(1).optional()
    const purpose = `the agent runtime ${name}, where npm has none for this machine`
    return [[program.binary_variable, path.describe(purpose)]]
  })
  return Object.fromEntries(settings) as BinarySettings
}
