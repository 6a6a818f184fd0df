import { gatewayProviders } from '@svc/db'
import { providerOf } from '../config/provider.ts'
import type { GatewayCore } from '../gateway-core.ts'
import type { ModelLists } from './list-models.ts'

const hourMs = 3_600_000

/**
 * Asks the providers of the environment that name no models for their lists, now and each hour: the API has none of their
 * keys and shows what is kept of it. Gives the way to end that.
 */
export function listNamedHourly(core: Pick<GatewayCore, 'db' | 'log'>, lists: ModelLists): () => void {
  const listAll = async () => {
    const rows = await gatewayProviders.list(core.db, { scope: 'operator' })
    const named = rows.filter(({ keys }) => keys.some(({ variable }) => variable !== null))
    await Promise.all(named.map((row) => lists(providerOf(row))))
  }
  const look = () =>
    void listAll().catch((err: unknown) => core.log.warn({ err }, 'the lists of providers were not read'))
  look()
  const timer = setInterval(look, hourMs)
  return () => clearInterval(timer)
}
