import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { formatToken } from '@svc/access'
import {
  type Db,
  features,
  gatewayPrices,
  gatewayProviders,
  gatewaySettings,
  placeColumns,
  tokens,
} from '@svc/db'
import { priceIdOf } from '@svc/models'
import { card, makeBudget, makePlace } from '../../packages/spend/tests/support/place.ts'

/** A project with a provider, a price, a budget that blocks, and a key; the key. */
export async function makeScene(db: Db, upstream: string): Promise<string> {
  const place = await makePlace(db)
  const { project_id, user_id } = place
  const [at, of] = [new Date(), { scope: 'project', project_id } as const]
  await gatewayProviders.insert(db, {
    ...placeColumns(of),
    ...{ provider_id: randomUUID(), slug: 'acme', kind: 'openai_compatible', base_url: `${upstream}/v1` },
    models: JSON.stringify([{ id: 'm1', max_output_tokens: 100_000, context_window: 200_000 }]),
    ...{ deadlines: '{}', output_limit_field: 'max_tokens', managed_by: 'api', created_by: null },
    ...{ created_at: at, updated_at: at },
  })
  await gatewayPrices.set(db, of, { model: 'acme/m1', card, price_id: priceIdOf(card), updated_at: at })
  await gatewaySettings.touch(db, of)
  await makeBudget(db, place, { level: 'project', period: 'month', cap_micros: 1_000_000_000_000 })
  await features.set(db, {
    ...{ project_id, feature: 'model_gateway', enabled: true, updated_by: user_id, updated_at: at },
  })
  const secret = formatToken('svc_gw_', randomBytes(32))
  await tokens.insert(db, {
    ...{ token_id: randomUUID(), kind: 'gateway', token_hash: createHash('sha256').update(secret).digest() },
    ...{ display_prefix: secret.slice(0, 12), name: 'bench', user_id, project_id, session_id: null },
    ...{ default_branch: false, expires_at: null, last_used_at: null, revoked_at: null, created_at: at },
  })
  return secret
}
