import { readSettings } from '@svc/boot'
import { appsAreApart, appsEnv, objectStoreEnv, serviceEnv, trustedProxiesEnv } from '@svc/platform/env'
import { z } from 'zod'

/** It holds neither the platform's master key nor a repository. */
export const Env = z.object({
  ...serviceEnv,
  SVC_HOST: z.string().min(1).default('0.0.0.0').describe('the address that the app-proxy listens on'),
  SVC_PORT: z.coerce.number().int().min(0).max(65_535).default(8083).describe('the port of the app-proxy'),
  ...objectStoreEnv,
  ...appsEnv,
  ...trustedProxiesEnv,
  SVC_APPS_WAKE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(600)
    .default(60)
    .describe('how long a visitor is held while an app that sleeps is started'),
  SVC_PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'the origin at which people sign in before they look at an app; without it none are sent there',
    ),
})

export type AppProxyEnv = z.infer<typeof Env>

export const readEnv = (source: NodeJS.ProcessEnv): AppProxyEnv =>
  readSettings(Env.refine(...appsAreApart), source)
