import { z } from 'zod'

export const providerKinds = ['openai', 'openai_compatible', 'anthropic'] as const
export type ProviderKind = (typeof providerKinds)[number]

/** Slugs of providers; `svc` and `auto` mean the platform's own models and the default one. */
export const ProviderSlug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be small letters, digits, - and _')
  .refine((slug) => slug !== 'svc' && slug !== 'auto', 'svc and auto are names of the platform')

const ms = (max: number) => z.number().int().min(1).max(max)
const tokens = z.number().int().min(1).max(1_000_000_000)
const ModelId = z.string().min(1).max(200)

export const ProviderModel = z.union([
  ModelId,
  z.strictObject({
    id: ModelId,
    name: z.string().min(1).max(200).optional(),
    context_window: tokens.optional(),
    max_output_tokens: tokens.optional(),
  }),
])

export const ProviderDeadlines = z.strictObject({
  connect_ms: ms(60_000).optional(),
  first_byte_ms: ms(3_600_000).optional(),
  idle_ms: ms(3_600_000).optional(),
  total_ms: ms(3_600_000).optional(),
})

export const outputLimitFields = ['max_tokens', 'max_completion_tokens'] as const

/** The field that most endpoints of the kind read. */
export function defaultOutputLimitField(kind: ProviderKind): (typeof outputLimitFields)[number] {
  return kind === 'openai' ? 'max_completion_tokens' : 'max_tokens'
}

const isBase = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && [url.username, url.password, url.search, url.hash].every((part) => part === '')
}

/** The root of a provider's routes, such as `https://models.acme.example/v1`. It is shown, so it holds no key. */
export const ProviderBaseUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .refine(isBase, 'must have no user, query or fragment')

export const ProviderApiKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,4096}$/, 'must be 1 to 4096 visible characters without spaces')

/** A provider as it is made, by a request or by the operator's settings. */
export const NewProvider = z.strictObject({
  slug: ProviderSlug,
  kind: z.enum(providerKinds),
  base_url: ProviderBaseUrl,
  api_key: ProviderApiKey.optional(),
  models: z.array(ProviderModel).min(1).max(500).nullish(),
  deadlines: ProviderDeadlines.optional(),
  output_limit_field: z.enum(outputLimitFields).optional(),
})
