import { createHash } from 'node:crypto'
import { SettingsError } from '@svc/boot'
import { type Db, gatewayProviders } from '@svc/db'
import { envNamePattern } from '@svc/facts'
import { defaultOutputLimitField, NewProvider } from '@svc/models'
import { z } from 'zod'
import type { Upstream } from '../upstream.ts'

const Named = NewProvider.extend({
  api_key_env: z.string().regex(envNamePattern, 'must be the name of a variable').optional(),
}).omit({ api_key: true })

/** A provider of the operator that `SVC_GATEWAY_PROVIDERS` names, with the key that its variable holds. */
export interface NamedProvider extends z.infer<typeof Named> {
  readonly api_key: string | null
}

export const namedProviderEnv = {
  SVC_GATEWAY_PROVIDERS: z
    .string()
    .transform((text, ctx) => {
      const list = z.array(Named).max(100).safeParse(jsonOf(text))
      if (list.success) return list.data
      const [issue] = list.error.issues
      ctx.addIssue({
        code: 'custom',
        message: `must be a JSON list of providers (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`,
      })
      return z.NEVER
    })
    .optional()
    .describe(
      "the operator's model providers: a JSON list of { slug, kind, base_url, api_key_env }, in which api_key_env names the variable that holds the key",
    ),
} as const

/** The named providers with their keys. A variable that is not there is refused at the start. */
export function withProviderKeys(
  named: readonly z.infer<typeof Named>[] | undefined,
  source: NodeJS.ProcessEnv,
): readonly NamedProvider[] {
  return (named ?? []).map((provider) => {
    const { api_key_env, slug } = provider
    const api_key = api_key_env === undefined ? null : source[api_key_env]
    if (api_key === undefined || api_key === '')
      throw new SettingsError([
        `SVC_GATEWAY_PROVIDERS: the provider ${slug} has its key in ${api_key_env ?? ''}, which is not set`,
      ])
    return { ...provider, api_key }
  })
}

/** The id of a provider of the environment, and of its key: the same in every process. */
export function namedId(...names: readonly string[]): string {
  const hex = createHash('sha256')
    .update(`svc gateway ${names.join(' ')}`)
    .digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** Writes the providers of this gateway's environment, so that all that shows providers shows these. */
export async function publishNamed(
  db: Db,
  {
    named,
    upstream,
    now,
  }: { readonly named: readonly NamedProvider[]; readonly upstream: Upstream | null; readonly now: Date },
): Promise<void> {
  await requireFree(db, named)
  const stamps = { created_at: now, updated_at: now }
  const own = {
    provider_id: namedId('svc'),
    slug: 'svc',
    kind: upstream === null ? ('demo' as const) : ('openai_compatible' as const),
    base_url: upstream?.base_url ?? '',
    models: JSON.stringify([upstream?.model ?? 'demo']),
    deadlines: JSON.stringify(upstream?.deadlines ?? {}),
    output_limit_field: 'max_tokens' as const,
    key: null,
    ...stamps,
  }
  const others = named.map(
    ({ slug, kind, base_url, models, deadlines, output_limit_field, api_key_env, api_key }) => ({
      provider_id: namedId(slug),
      ...{ slug, kind, base_url },
      models: models ? JSON.stringify(models) : null,
      deadlines: JSON.stringify(deadlines ?? {}),
      output_limit_field: output_limit_field ?? defaultOutputLimitField(kind),
      key:
        api_key === null || api_key_env === undefined
          ? null
          : {
              key_id: namedId(slug, api_key_env),
              name: api_key_env,
              variable: api_key_env,
              hint: api_key.slice(-4),
            },
      ...stamps,
    }),
  )
  await gatewayProviders.replaceNamed(db, [own, ...others])
}

/** A provider that the API made keeps its name, and its keys. */
async function requireFree(db: Db, named: readonly NamedProvider[]): Promise<void> {
  const made = await gatewayProviders.list(db, { scope: 'operator' })
  const taken = named.filter(({ slug }) => made.some((one) => one.slug === slug && one.managed_by === 'api'))
  if (taken.length > 0)
    throw new SettingsError(
      taken.map(
        ({ slug }) =>
          `SVC_GATEWAY_PROVIDERS: the provider ${slug} was made by the API; remove that one (svc admin providers rm ${slug}), or give this one another slug`,
      ),
    )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
