import { readSettings } from '@svc/boot'
import { serviceEnv } from '@svc/platform/env'
import { z } from 'zod'
import { endpointHasModel, modelEnv, modelHasEndpoint } from './model-env.ts'

/** The gateway reads tokens and nothing else: it holds neither the master key nor a repository. */
export const Env = z
  .object({
    ...serviceEnv,
    SVC_HOST: z.string().min(1).default('0.0.0.0').describe('the address that the gateway listens on'),
    SVC_PORT: z.coerce.number().int().min(0).max(65_535).default(8081).describe('the port of the gateway'),
    ...modelEnv,
  })
  .refine(...endpointHasModel)
  .refine(...modelHasEndpoint)

export type GatewayEnv = z.infer<typeof Env>

export function readEnv(source: NodeJS.ProcessEnv): GatewayEnv {
  return readSettings(Env, source)
}
