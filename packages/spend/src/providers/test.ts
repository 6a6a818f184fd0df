import { performance } from 'node:perf_hooks'
import type { Context } from '@svc/context'
import type { gatewayProviders, GatewayPlace } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { RefusedTarget } from '@svc/outbound'
import { z } from 'zod'
import { askOnce, usableKey } from '../models/ask-once.ts'
import { type Changing, recordPlaceAudit } from '../places/change.ts'
import { enterPlace } from '../places/enter.ts'
import { requireProvider } from './find.ts'

const maxMessage = 500

/** Asks the provider for its models, at no cost. What goes wrong on the way is its answer. */
export async function testProvider(
  ctx: Changing & Pick<Context, 'settings' | 'provider_sealer' | 'log'>,
  place: GatewayPlace,
  { slug }: { readonly slug: string },
) {
  const entered = await enterPlace(ctx, place, 'project.secret.write')
  const provider = await requireProvider(ctx.db, place, slug)
  const key = usableKey(ctx, provider)
  if (key.kind === 'unknown')
    throw new ServiceError(
      'conflict',
      `The key of the provider ${slug} is not for the API to open: ask one of its models through the gateway`,
    )
  const secret = key.kind === 'none' ? null : key.secret
  const begun = performance.now()
  const said = await ask(ctx, provider, secret)
  const latency_ms = Math.round(performance.now() - begun)
  const details = { ok: said.ok, status: said.status }
  const change = { action: 'test*GatewayProvider', target: `/providers/${slug}`, details } as const
  await ctx.db.transaction().execute((tx) => recordPlaceAudit(ctx, tx, entered, change))
  return { ...said, latency_ms }
}

async function ask(
  ctx: Pick<Context, 'settings' | 'log'>,
  provider: gatewayProviders.ProviderWithKeys,
  secret: string | null,
) {
  const none = { ok: false, status: null, models: [] }
  try {
    const { status, models, text } = await askOnce(ctx, provider, secret)
    if (models !== null)
      return {
        ok: true,
        status,
        models: models.map(({ id }) => id),
        message: `It lists ${models.length} ${models.length === 1 ? 'model' : 'models'}`,
      }
    return { ...none, status, message: messageOf(status, masked(text, secret)) }
  } catch (error) {
    const refused = causesOf(error).find((cause) => cause instanceof RefusedTarget)
    if (refused) return { ...none, message: `${refused.message}; give the provider another address` }
    ctx.log.warn({ err: error, provider: provider.slug }, 'a model provider could not be asked')
    return { ...none, message: `It did not answer (${reasonOf(error)}); see its address` }
  }
}

/** The words of the provider, which may repeat the key that it was sent. */
const masked = (text: string, secret: string | null) =>
  secret === null ? text : text.replaceAll(secret, '[key]')

const Said = z.object({ error: z.union([z.string(), z.looseObject({ message: z.string() })]) })

function messageOf(status: number, text: string): string {
  if (status === 200) return 'It answered 200, but with no list of models; see its address'
  if (status === 404) return 'It answered 404: it lists no models there; see its address, or name its models'
  const said = Said.safeParse(jsonOf(text))
  const error = said.success ? said.data.error : null
  const words = typeof error === 'string' ? error : error?.message
  return words === undefined
    ? `It answered ${status}`
    : `It answered ${status}: ${words.slice(0, maxMessage)}`
}

function reasonOf(error: unknown): string {
  const codes = causesOf(error).flatMap((cause) =>
    'code' in cause && typeof cause.code === 'string' ? [cause.code] : [],
  )
  if (causesOf(error).some(({ name }) => name === 'TimeoutError')) return 'too late'
  return codes.at(-1) ?? 'no reason given'
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = []
  for (let at = error; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at)
  return causes
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
