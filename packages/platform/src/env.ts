import { apiWait, modelNamePattern, repositoryStores } from '@svc/facts'
import { outboundEnv } from '@svc/outbound'
import { z } from 'zod'
import { lockPoolEnv } from './database/env.ts'
import { appsEnv } from './apps-env.ts'
import { harnessEnv } from './harness-env.ts'
import { previewEnv } from './preview-env.ts'
import { objectStoreEnv } from './objects/env.ts'
import { masterKeyEnv } from './master-key/env.ts'
import { gatewayKeyEnv } from './master-key/gateway-key.ts'
import { serviceEnv } from './service/env.ts'

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')

/** The variables that every deployable shares; each adds its own. */
export const platformEnv = {
  ...serviceEnv,
  ...lockPoolEnv,
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must be a redis:// or rediss:// address')
    .optional()
    .describe('the Redis that carries jobs; without it they travel through PostgreSQL'),
  SVC_PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .describe('the origin that people and sandboxes reach the API at, such as https://svc.example.com'),
  SVC_REPOSITORIES_DIR: z
    .string()
    .min(1)
    .describe('the folder of managed repositories, shared by all services but the gateway'),
  SVC_REPOSITORY_STORE: z
    .enum(repositoryStores)
    .default('local')
    .describe('the storage of managed repositories: local is that folder'),
  ...objectStoreEnv,
  SVC_MIRRORS_DIR: z
    .string()
    .min(1)
    .describe('a folder of this process for mirrors of connected repositories'),
  ...masterKeyEnv,
  ...gatewayKeyEnv,
  SVC_LLM_BASE_URL: z
    .url()
    .optional()
    .describe(
      'the model gateway as sandboxes reach it, with its path /v1/llm; without it agents have no model',
    ),
  SVC_SESSION_CAP: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .describe('live sessions each account may have, whatever its plan says'),
  SVC_IDLE_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .default(900)
    .describe("how long the unused sandbox of a person's session stays on"),
  SVC_TRIGGER_IDLE_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .default(300)
    .describe('the same for sessions that triggers started'),
  SVC_ASK_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(10)
    .default(1800)
    .describe('how long a question of an agent waits for an answer'),
  SVC_API_WAIT_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(apiWait.max_seconds)
    .default(apiWait.sandbox_seconds)
    .describe('how long git and svc in a sandbox wait for an API that is away'),
  SVC_MODELS: z
    .string()
    .transform((list) => list.split(',').map((model) => model.trim()))
    .pipe(z.array(z.string().regex(modelNamePattern, 'must be a list such as svc/default,acme/great')))
    .optional()
    .describe('the models that triggers may name; without it every model is tried'),
  SVC_GATEWAY_DEFAULT_MODEL: z
    .string()
    .min(1)
    .optional()
    .describe('the model of calls for which neither session, project nor account names one'),
  SVC_ALLOW_HTTP_REPOSITORIES: flag.describe('whether projects may connect http:// repositories'),
  SVC_ALLOW_FILE_REPOSITORIES: flag.describe('whether projects may connect file:// repositories'),
  SVC_ALLOW_SSH_REPOSITORIES: flag.describe('whether projects may connect ssh:// repositories'),
  SVC_ALLOW_PRIVATE_ADDRESSES: flag.describe('whether repositories may be at private addresses'),
  SVC_GIT_AUTHOR: z
    .string()
    .regex(/^[^<>\n]+ <[^<>\s]+>$/, 'must look like: name <address>')
    .default('svc <noreply@svc.invalid>')
    .describe('the author of merge commits'),
  SVC_GIT_SIGNING_KEY_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('a private SSH key without a passphrase that signs merge commits'),
  SVC_MIRRORS_BUDGET_MB: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .describe('what the mirrors may take on the disk; the ones unused the longest go first'),
  ...outboundEnv,
  ...previewEnv,
  ...appsEnv,
  ...harnessEnv,
  SVC_CLONES_BUDGET_MB: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .describe('what kept answers to clones may take below SVC_MIRRORS_DIR; 1,024 when unset'),
} as const

export { harnessEnv } from './harness-env.ts'
export { appsAreApart, appsEnv } from './apps-env.ts'
export { clientAddress, type IsProxy, noProxy, trustedProxies } from './trusted-proxies/client-address.ts'
export { trustedProxiesEnv } from './trusted-proxies/env.ts'
export { objectStoreEnv } from './objects/env.ts'
export { storeKeys } from './objects/store-keys.ts'
export { gatewayKeyEnv, gatewaySealer } from './master-key/gateway-key.ts'
export { serviceEnv } from './service/env.ts'

export type PlatformEnv = z.infer<z.ZodObject<typeof platformEnv>>
