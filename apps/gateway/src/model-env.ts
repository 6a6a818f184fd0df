import { platformEnv } from '@svc/platform/env'
import { z } from 'zod'
import { namedProviderEnv } from './config/named-providers.ts'
import { deadlineEnv } from './upstream/deadlines.ts'
import type { UpstreamEnv } from './upstream.ts'

/** The model that stands behind the gateway. */
export const modelEnv = {
  SVC_MODEL_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('an OpenAI-compatible endpoint, such as https://host/v1'),
  SVC_MODEL_API_KEY: z.string().min(1).optional().describe('the key of that endpoint'),
  SVC_MODEL: z.string().min(1).optional().describe('the model to ask it for'),
  ...deadlineEnv,
  ...namedProviderEnv,
}

/** The operator's list of models and the one for want of another, which the services of sessions read as well. */
export const offeredModelsEnv = {
  SVC_MODELS: platformEnv.SVC_MODELS,
  SVC_GATEWAY_DEFAULT_MODEL: platformEnv.SVC_GATEWAY_DEFAULT_MODEL,
}

type Rule = [(env: UpstreamEnv) => boolean, { path: string[]; message: string }]

export const endpointHasModel: Rule = [
  (env) => env.SVC_MODEL_BASE_URL === undefined || env.SVC_MODEL !== undefined,
  { path: ['SVC_MODEL'], message: 'is needed when SVC_MODEL_BASE_URL is set' },
]

export const modelHasEndpoint: Rule = [
  (env) => env.SVC_MODEL_BASE_URL !== undefined || !(env.SVC_MODEL ?? env.SVC_MODEL_API_KEY),
  { path: ['SVC_MODEL_BASE_URL'], message: 'is needed when SVC_MODEL or SVC_MODEL_API_KEY is set' },
]
