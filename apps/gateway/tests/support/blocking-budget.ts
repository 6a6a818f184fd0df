import { randomUUID } from 'node:crypto'
import { type Db, gatewayPrices, gatewaySettings, type GatewayPlace } from '@svc/db'
import { type PriceCard, priceIdOf } from '@svc/models'

/** Sets the price of a model, a dollar for a million of its tokens unless it is said otherwise. */
export async function priceOf(
  db: Db,
  at: GatewayPlace,
  model: string,
  card: PriceCard = { input: 1_000_000, output: 1_000_000 },
): Promise<void> {
  await gatewayPrices.set(db, at, { model, card, price_id: priceIdOf(card), updated_at: new Date() })
  await gatewaySettings.touch(db, at)
}

/** A budget of a month for everything that a project asks of models, which refuses what it cannot pay for. */
export async function blockingBudget(db: Db, project_id: string, cap_micros: number): Promise<void> {
  const { account_id, created_by } = await db
    .selectFrom('projects')
    .select(['account_id', 'created_by'])
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  const at = new Date()
  await db
    .insertInto('gateway_budgets')
    .values({
      ...{ budget_id: randomUUID(), account_id, project_id, created_by, cap_micros },
      ...{ name: 'month', level: 'project', subject: null, period: 'month', mode: 'block' },
      ...{ created_at: at, updated_at: at },
    })
    .execute()
}
