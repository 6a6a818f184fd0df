import pg from 'pg'

/** Sessions as a page of a busy project shows them: most have stopped, each with its sandbox record. */
export async function seedSessions(url: string, project_id: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `with made as (
       insert into project_sessions (session_id, account_id, project_id, branch_name, base_ref, status, stop_reason,
         agent_name, agent_grant, merge_granted, name, metadata, origin, labels, created_by, created_at, updated_at,
         provisioning_at, started_at, stopped_at)
       select id, account_id, project_id, id::text, 'main', 'stopped', 'idle', 'default', '["project.read"]', false,
         'Mend the cart ' || n, '{"ticket":"SHOP-12","team":"web"}', 'user', '{docs,web}', created_by, at, at, at, at, at
       from projects, generate_series(1, $2::int) n,
         lateral (select gen_random_uuid() as id, now() - n * interval '1 minute' as at where n > 0) made
       where project_id = $1 returning session_id, created_at)
     insert into session_sandboxes (session_id, provider, external_id, status, last_active_at, created_at, updated_at)
     select session_id, 'process', 'sbx_' || session_id, 'stopped', created_at, created_at, created_at from made`,
    [project_id, count],
  )
  await client.query('vacuum analyze')
  await client.end()
}
