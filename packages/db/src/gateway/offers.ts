import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { prepared } from '../kit/prepared.ts'
import type { GatewayPriceRow, GatewaySettingsRow, ProviderRow } from './gateway.table.ts'
import { hasGateway } from './has-gateway.ts'

/** The word of three places on the models of a project, without any key. */
export interface ProjectOffers {
  readonly account_id: string
  readonly project_model: string | null
  readonly account_model: string | null
  readonly providers: readonly Pick<
    ProviderRow,
    'scope' | 'slug' | 'kind' | 'base_url' | 'models' | 'enabled'
  >[]
  readonly settings: readonly Pick<GatewaySettingsRow, 'scope' | 'default_model' | 'models' | 'agents'>[]
  readonly prices: readonly Pick<GatewayPriceRow, 'scope' | 'model' | 'card'>[]
}

/** Undefined for a project without the model gateway. */
export async function ofProject(db: Db, project_id: string): Promise<ProjectOffers | undefined> {
  const near = sql`(g.project_id = p.project_id or g.account_id = p.account_id or g.scope = 'operator')`
  const { rows } = await sql<ProjectOffers>`${prepared}
    select p.account_id, p.default_model as project_model, a.default_model as account_model,
      (select coalesce(jsonb_agg(jsonb_build_object('scope', g.scope, 'slug', g.slug, 'kind', g.kind,
          'base_url', g.base_url, 'models', g.models, 'enabled', g.enabled)), '[]')
        from gateway_providers g where ${near}) as providers,
      (select coalesce(jsonb_agg(jsonb_build_object('scope', g.scope, 'default_model', g.default_model,
          'models', g.models, 'agents', g.agents)), '[]')
        from gateway_settings g where ${near}) as settings,
      (select coalesce(jsonb_agg(jsonb_build_object('scope', g.scope, 'model', g.model, 'card', g.card)), '[]')
        from gateway_prices g where ${near}) as prices
    from projects p join accounts a using (account_id)
    where p.project_id = ${project_id} and ${hasGateway(project_id)}`.execute(db)
  return rows[0]
}
