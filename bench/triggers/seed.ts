import type { Client } from 'pg'

/** Triggers that are due in each measured tick. */
export const due = 100
const perProject = 10
const perAccount = 10

/**
 * Schedules in a tenth as many projects, of which ten share an account, due at some time of the next day; written by a
 * few statements. The first of each of `due` projects is the one that a tick fires.
 */
export async function seed(client: Client, triggers: number): Promise<void> {
  const projects = triggers / perProject
  await client.query(
    `insert into accounts (account_id, name, tier, created_at)
     select gen_random_uuid(), 'a' || n, 'self_host', now() from generate_series(1, $1::int) n`,
    [projects / perAccount],
  )
  await client.query(
    `insert into users (user_id, email, name, created_at) values (gen_random_uuid(), 'bench@svc.invalid', 'Bench', now())`,
  )
  await client.query(
    `insert into projects (project_id, account_id, name, slug, kind, repo_url, default_branch, sealed_data_key,
       created_by, created_at, updated_at)
     select gen_random_uuid(), a.account_id, 'p' || n, 'p' || n, 'managed', 'managed:p' || n, 'main', 'none',
       u.user_id, now(), now()
     from generate_series(1, $1::int) n
     join accounts a on a.name = 'a' || (n % $2::int + 1), users u`,
    [projects, projects / perAccount],
  )
  await client.query(
    `insert into project_triggers (project_id, slug, position, type, definition, agent, agent_error, enabled,
       next_fire_at, due_at, created_at, updated_at)
     select p.project_id, 't' || n, n, 'cron', $1::jsonb || jsonb_build_object('slug', 't' || n, 'name', 't' || n),
       $2::jsonb, null, true, d.at, d.at, now(), now()
     from projects p, generate_series(1, $3::int) n,
       lateral (select date_trunc('second', now() + interval '1 hour' + random() * interval '1 day') as at
         where p.project_id is not null) d`,
    [JSON.stringify(definition), JSON.stringify(agent), perProject],
  )
  await client.query('vacuum analyze')
}

const definition = {
  type: 'cron',
  cron: '0 0 * * * *',
  run_at: null,
  timezone: 'Europe/Berlin',
  prompt: 'Look after {{ trigger.slug }}; the last time was {{ cron.last_fired_at }}.',
  agent: 'default',
  model: null,
  enabled: true,
  session_mode: 'fresh',
  session_id: null,
  session_key: null,
  filter: {},
  overlap: 'allow',
}

const agent = {
  agent_name: 'default',
  grant: ['project.read'],
  merge_granted: false,
  secrets: 'all',
  model: null,
}

/** The triggers that are due at once: one in each of many projects, or all of the projects of one account. */
export type Spread = 'projects' | 'account'

const chosen: Readonly<Record<Spread, string>> = {
  projects: `slug = 't1' and project_id in (select project_id from projects order by project_id limit ${due})`,
  account: `project_id in (select project_id from projects
    where account_id = (select account_id from projects order by project_id limit 1))`,
}

/** Lets the chosen triggers be due at an instant, and forgets what an earlier tick did. */
export async function makeDue(client: Client, at: Date, spread: Spread = 'projects'): Promise<void> {
  await client.query('delete from trigger_fires')
  await client.query('delete from project_sessions')
  await client.query(
    `update project_triggers set next_fire_at = $1, due_at = $1, last_fired_at = null where ${chosen[spread]}`,
    [at],
  )
}

/** Rows of the triggers' table that queries have read in this database so far, and the pages behind them. */
export async function rowsRead(client: Client): Promise<number> {
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query<{ rows: string }>(
    `select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as rows
     from pg_stat_user_tables where relname = 'project_triggers'`,
  )
  return Number(rows[0]?.rows ?? 0)
}

/** The rows and pages that the claim of the next due trigger touches, as PostgreSQL says it. */
export async function claimPlan(client: Client): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, costs off, timing off, summary off)
     select * from project_triggers where due_at <= now() order by due_at limit 1 for update skip locked`,
  )
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
