import { readSettings } from '@svc/boot'
import { gatewayKeyEnv, objectStoreEnv, serviceEnv } from '@svc/platform/env'
import { z } from 'zod'
import { outboundEnv } from '@svc/outbound'
import { withProviderKeys } from './config/named-providers.ts'
import { endpointHasModel, modelEnv, modelHasEndpoint, offeredModelsEnv } from './model-env.ts'

/** It holds neither the platform's master key nor a repository: its own key opens the keys of providers alone. */
export const Env = z
  .object({
    ...serviceEnv,
    SVC_HOST: z.string().min(1).default('0.0.0.0').describe('the address that the gateway listens on'),
    SVC_PORT: z.coerce.number().int().min(0).max(65_535).default(8081).describe('the port of the gateway'),
    ...modelEnv,
    ...offeredModelsEnv,
    ...outboundEnv,
    ...gatewayKeyEnv,
    ...objectStoreEnv,
  })
  .refine(...endpointHasModel)
  .refine(...modelHasEndpoint)

export function readEnv(source: NodeJS.ProcessEnv) {
  const env = readSettings(Env, source)
  return { ...env, providers: withProviderKeys(env.SVC_GATEWAY_PROVIDERS, source) }
}
