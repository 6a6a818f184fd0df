import { readSettings } from '@svc/boot'
import { platformEnv } from '@svc/platform/env'
import { deploymentEnv, dockerSettings } from '@svc/sandbox/engine-gate'
import { z } from 'zod'

const { SVC_DOCKER_HOST, SVC_DOCKER_RUNTIME, SVC_DOCKER_BUILD_NETWORK } = dockerSettings
const { SVC_INTERNAL_HOST, SVC_INTERNAL_PORT, SVC_METRICS_TOKEN, SVC_LOG_LEVEL } = platformEnv

/** The gate holds the engine and nothing else: no key, no database, no repository. */
const Env = z.object({
  SVC_DOCKER_HOST,
  SVC_DOCKER_RUNTIME,
  SVC_DOCKER_BUILD_NETWORK,
  ...deploymentEnv,
  SVC_ENGINE_GATE_SOCKET: z
    .string()
    .regex(/^\/\S+$/, 'must be a path')
    .describe('the socket that the gate makes; SVC_DOCKER_HOST of the sandbox-worker'),
  SVC_INTERNAL_HOST,
  SVC_INTERNAL_PORT,
  SVC_METRICS_TOKEN,
  SVC_LOG_LEVEL,
})

export function readEnv(source: NodeJS.ProcessEnv): z.infer<typeof Env> {
  return readSettings(Env, source)
}
