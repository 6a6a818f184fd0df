import { isAtOrBelow } from '@svc/context'
import { z } from 'zod'

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** The last label begins with a letter, unlike an IP address; the length leaves room for a random label before it. */
const host = new RegExp(
  `^(?=[^:]{1,220}(?::|$))(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?(?::[1-9][0-9]{0,4})?$`,
)

/** The variables of previews. */
export const previewEnv = {
  SVC_PREVIEW_HOST: z
    .string()
    .transform((text) => text.toLowerCase())
    .refine(
      (text) => host.test(text) && Number(text.split(':')[1] ?? 1) <= 65_535,
      'must be a name such as preview.example.com or preview.example.com:8443, with *.preview.example.com leading to the API',
    )
    .optional()
    .describe(
      'the host below which each preview has a name of its own; preview.localhost with the port of the platform on one machine, else none',
    ),
} as const

interface Hosts {
  readonly SVC_PUBLIC_URL?: string | undefined
  readonly SVC_PREVIEW_HOST?: string | undefined
}

type Rule = readonly [(env: Hosts) => boolean, { path: string[]; message: string }]

/** The platform itself does not answer at the host of a preview. */
export const previewsAreApart: Rule = [
  ({ SVC_PUBLIC_URL, SVC_PREVIEW_HOST }) =>
    SVC_PUBLIC_URL === undefined ||
    SVC_PREVIEW_HOST === undefined ||
    !isAtOrBelow(new URL(SVC_PUBLIC_URL).hostname, SVC_PREVIEW_HOST.split(':')[0] ?? ''),
  {
    path: ['SVC_PREVIEW_HOST'],
    message:
      "must not be the platform's own host (SVC_PUBLIC_URL) or one above it: give a name that only previews have",
  },
]
