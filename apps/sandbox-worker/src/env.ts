import { readSettings } from '@svc/boot'
import { dockerSettings, egressModes, kubernetesEnv, limitSettings, providerOrder } from '@svc/sandbox'
import { platformEnv } from '@svc/services'
import { z } from 'zod'
import { warmPoolEnv } from './warm-pool-env.ts'

const Env = z.object({
  ...platformEnv,
  SVC_SANDBOX_PROVIDER: providerOrder()
    .default('auto')
    .describe('how sandboxes are made: a provider, or several in order'),
  ...limitSettings,
  ...dockerSettings,
  SVC_SANDBOX_EGRESS: z
    .enum(egressModes)
    .default('open')
    .describe('what sandboxes reach beside the platform: the public internet, or nothing'),
  ...kubernetesEnv,
  SVC_SANDBOXES_DIR: z
    .string()
    .min(1)
    .describe('the folder of sandboxes, shared by the workers of one machine'),
  SVC_DEPLOYMENT: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('default')
    .describe('keeps deployments on one machine apart'),
  SVC_SANDBOX_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(8)
    .describe('sandbox jobs at a time'),
  ...warmPoolEnv,
  SVC_AGENT_BUNDLE: z.string().min(1).optional().describe('the daemon, when it is not beside this build'),
  SVC_BOOT_BUNDLE: z
    .string()
    .min(1)
    .optional()
    .describe('what starts a container, when it is not beside this build'),
  SVC_CLI_FOLDER: z
    .string()
    .min(1)
    .optional()
    .describe('the built svc client, when it is not beside this build'),
  SVC_RUNTIME_BINARY: z
    .string()
    .min(1)
    .optional()
    .describe('the agent runtime, when npm did not install it here'),
})

export function readEnv(source: NodeJS.ProcessEnv): z.infer<typeof Env> {
  return readSettings(Env, source)
}
