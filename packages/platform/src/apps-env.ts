import { isAtOrBelow } from '@svc/context'
import { isLocalName } from '@svc/facts'
import { z } from 'zod'

/** The variables of apps. */
export const appsEnv = {
  SVC_APPS_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => new URL(url).origin)
    .refine(
      (origin) => /^[a-z0-9.-]*[a-z][a-z0-9-]*$/.test(new URL(origin).hostname),
      'must be an address with a name, such as https://apps.example.com, with *.apps.example.com leading to the app-proxy',
    )
    .optional()
    .describe('the address below which each app has a name of its own; without it apps have no address'),
} as const

interface Addresses {
  readonly SVC_PUBLIC_URL?: string | undefined
  readonly SVC_APPS_URL?: string | undefined
}

type Rule = readonly [(env: Addresses) => boolean, { path: string[]; message: string }]

/** Apps are strangers to the platform: no name of one is at, above or below the host of the other. */
export const appsAreApart: Rule = [
  ({ SVC_PUBLIC_URL, SVC_APPS_URL }) => {
    if (SVC_PUBLIC_URL === undefined || SVC_APPS_URL === undefined) return true
    const platform = new URL(SVC_PUBLIC_URL).hostname
    const apps = new URL(SVC_APPS_URL).hostname
    return isLocalName(apps) || !(isAtOrBelow(platform, apps) || isAtOrBelow(apps, platform))
  },
  {
    path: ['SVC_APPS_URL'],
    message:
      "must not be the platform's own host (SVC_PUBLIC_URL), one above it or one below it: give a name that only apps have",
  },
]
