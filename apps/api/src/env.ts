import { readSettings } from '@svc/boot'
import { platformEnv } from '@svc/services'
import { z } from 'zod'

const flag = (fallback: 'true' | 'false') =>
  z
    .enum(['true', 'false'])
    .default(fallback)
    .transform((value) => value === 'true')

const Env = z.object({
  ...platformEnv,
  SVC_HOST: z.string().min(1).default('0.0.0.0').describe('the address that the API listens on'),
  SVC_PORT: z.coerce.number().int().min(0).max(65_535).default(8080).describe('the port of the API'),
  SVC_BOOTSTRAP_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('where the first account and its owner token are kept; without it no account is made'),
  OPENAPI_PUBLIC_DOCS: flag('true').describe('whether /v1/docs and /v1/openapi.json are served'),
  SVC_TRUST_PROXY: flag('false').describe(
    'whether a proxy in front sets X-Forwarded-Proto and X-Forwarded-Host',
  ),
  SVC_COMMIT: z.string().min(1).default('unknown').describe('the commit of this build'),
})

export function readEnv(source: NodeJS.ProcessEnv): z.infer<typeof Env> {
  return readSettings(Env, source)
}
