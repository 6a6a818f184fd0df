import { type RawBuilder, sql } from 'kysely'

/** True for a project that was opted into the model gateway, under a plan that holds it, unless an operator closed it. */
export function hasGateway(project_id: string | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from project_features f
    join projects fp using (project_id) join accounts fa using (account_id) join plans fl using (tier)
    where f.project_id = ${project_id} and f.feature = 'model_gateway' and f.enabled
      and fl.gateway <> 'off' and not exists (select from platform_features o
        where o.feature = f.feature and not o.available))`
}
