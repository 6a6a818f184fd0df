import { sql } from 'kysely'
import { instant, maxItems, type Waiting } from './waiting.ts'

export interface LostConnection {
  /** Null where there is none yet. */
  readonly connection_id: string | null
  readonly project_id: string
  readonly slug: string
  readonly name: string
  readonly label: string | null
  readonly error: string | null
  readonly at: Date
}

/**
 * Connections that expired, of one's own or of projects whose connections one manages; and connectors of projects without which
 * an agent does not start, and which have no connection to start it with. One that says nothing of `auth` needs one when its
 * service said so.
 */
export const lostConnections = ({
  user_id,
  readable,
  managed,
}: {
  readonly user_id: string
  readonly readable: readonly string[]
  readonly managed: readonly string[]
}): Waiting<LostConnection> => ({
  rows: sql`
    (select c.connection_id::text as id, ${instant('c.updated_at')} as version, c.connection_id, c.project_id, c.slug,
      p.definition ->> 'name' as name, c.label, c.last_error as error, c.updated_at as at
    from connector_connections c join project_connectors p using (project_id, slug)
    where c.status = 'expired' and c.project_id = any(${readable}::uuid[])
      and (c.user_id = ${user_id} or (c.user_id is null and c.project_id = any(${managed}::uuid[])))
    order by c.updated_at desc limit ${maxItems})
    union all
    (select p.project_id || '.' || p.slug as id, p.slug as version, null::uuid as connection_id, p.project_id, p.slug,
      p.definition ->> 'name' as name, null as label, null as error, catalogue.checked_at as at
    from trigger_catalogues catalogue
    cross join lateral jsonb_array_elements_text(catalogue.manifest -> 'required_connectors') as required (slug)
    join project_connectors p on p.project_id = catalogue.project_id and p.slug = required.slug
    where catalogue.project_id = any(${managed}::uuid[]) and catalogue.checked_at is not null
      and jsonb_typeof(catalogue.manifest -> 'required_connectors') = 'array'
      and catalogue.manifest -> 'required_connectors' <> '[]'
      and p.definition ->> 'authorization_strategy' = 'project'
      and (p.status = 'needs_connection' or p.definition -> 'auth' ->> 'type' <> 'none')
      and not exists (select from connector_connections c
        where c.project_id = p.project_id and c.slug = p.slug and c.user_id is null and c.is_default
          and c.status in ('active', 'expired'))
    order by catalogue.checked_at desc, p.slug limit ${maxItems})`,
})
