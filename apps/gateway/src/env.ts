import { readSettings } from '@svc/boot'
import { platformEnv } from '@svc/services'
import { z } from 'zod'

const { DATABASE_URL, SVC_INTERNAL_HOST, SVC_INTERNAL_PORT, SVC_LOG_LEVEL } = platformEnv

/** The gateway reads tokens and nothing else: it holds neither the master key nor a repository. */
const Env = z
  .object({
    DATABASE_URL,
    SVC_HOST: z.string().min(1).default('0.0.0.0').describe('the address that the gateway listens on'),
    SVC_PORT: z.coerce.number().int().min(0).max(65_535).default(8081).describe('the port of the gateway'),
    SVC_MODEL_BASE_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('an OpenAI-compatible endpoint, such as https://host/v1'),
    SVC_MODEL_API_KEY: z.string().min(1).optional().describe('the key of that endpoint'),
    SVC_MODEL: z.string().min(1).optional().describe('the model to ask it for'),
    SVC_INTERNAL_HOST,
    SVC_INTERNAL_PORT,
    SVC_LOG_LEVEL,
  })
  .refine((env) => env.SVC_MODEL_BASE_URL === undefined || env.SVC_MODEL !== undefined, {
    path: ['SVC_MODEL'],
    message: 'is needed when SVC_MODEL_BASE_URL is set',
  })
  .refine((env) => env.SVC_MODEL_BASE_URL !== undefined || !(env.SVC_MODEL ?? env.SVC_MODEL_API_KEY), {
    path: ['SVC_MODEL_BASE_URL'],
    message: 'is needed when SVC_MODEL or SVC_MODEL_API_KEY is set',
  })

export type GatewayEnv = z.infer<typeof Env>

export function readEnv(source: NodeJS.ProcessEnv): GatewayEnv {
  return readSettings(Env, source)
}
