import { z } from 'zod'

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** Its last label begins with a letter, which no address does; with a random label before it, it is still a name. */
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
