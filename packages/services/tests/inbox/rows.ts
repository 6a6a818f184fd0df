import { randomUUID } from 'node:crypto'
import type { Db } from '@svc/db'
import { sql } from 'kysely'

interface Sources {
  /** A number from 0 to one less than that. */
  readonly take: (below: number) => number
  readonly now: Date
  readonly projects: readonly { readonly project_id: string; readonly account_id: string }[]
  readonly people: readonly { readonly user_id: string }[]
  readonly sessions: readonly {
    readonly session_id: string
    readonly project_id: string
    readonly account_id: string
    readonly created_by: string
  }[]
}

/** Rows of every kind that an inbox reads, some open and some not, in place of those of before. */
export async function putRows(db: Db, { take, now, projects, people, sessions }: Sources): Promise<void> {
  const of = <T>(values: readonly T[]): T => {
    const value = values[take(values.length)]
    if (value === undefined) throw new Error('There is nothing to choose from')
    return value
  }
  const later = (ms: number) => new Date(now.getTime() + ms)
  const tables = [
    'review_items',
    'connector_calls',
    'connector_connections',
    'project_connectors',
    'session_asks',
  ]
  const others = [
    'change_requests',
    'project_triggers',
    'event_subscriptions',
    'project_channels',
    'inbox_marks',
  ]
  await sql.raw([...tables, ...others].map((table) => `delete from ${table}`).join('; ')).execute(db)
  for (let n = 0; n < 40; n += 1) {
    const { session_id, project_id, account_id } = of(sessions)
    const { user_id } = of(people)
    const at = later(-take(100_000))
    const open = take(2) === 0
    const ended = open ? null : at
    await sql`insert into review_items (review_id, project_id, session_id, kind, title, summary, risk, files, options,
        status, version, verdict_by, decided_at, created_by, created_at, updated_at)
      values (${randomUUID()}, ${project_id}, ${session_id}, 'output', 'Draft', '', 'low', '[]', '[]',
        ${open ? 'needs_you' : 'approved'}, ${1 + take(3)}, ${open ? null : user_id}, ${ended}, ${user_id}, ${at}, ${at})
      `.execute(db)
    const call_id = randomUUID()
    const status = of(['awaiting_approval', 'unknown', 'succeeded'])
    await sql`insert into connector_calls (call_id, project_id, session_id, slug, action, provider, actor, actor_id, door,
        risk, request_digest, status, ended_at, created_at, updated_at)
      values (${call_id}, ${project_id}, ${session_id}, 'crm', 'put', 'http', '{}', ${session_id}, 'executor',
        'write', ${call_id}, ${status}, ${status === 'awaiting_approval' ? null : at}, ${at}, ${at})`.execute(
      db,
    )
    if (status === 'awaiting_approval')
      await sql`insert into connector_approvals (call_id, project_id, status, digest, expires_at, created_at)
        values (${call_id}, ${project_id}, ${of(['pending', 'cancelled'])}, ${call_id}, ${later(take(2000) - 500)}, ${at})
        `.execute(db)
    await sql`insert into session_asks (session_id, request_id, project_id, kind, state, body, asked_at, expires_at, ended_at)
      values (${session_id}, ${`ask-${n}`}, ${project_id}, ${of(['question', 'permission'])},
        ${open ? 'asked' : 'replied'}, '{}', ${at}, ${of([null, later(1000)])}, ${ended})`.execute(db)
    await sql`insert into change_requests (cr_id, account_id, project_id, number, title, base_ref, head_ref, status,
        created_by, head_commit_sha, closed_at, closed_by, created_at, updated_at)
      values (${randomUUID()}, ${account_id}, ${project_id}, ${n + 1}, 'Change', 'main', ${`head-${n}`},
        ${open ? 'open' : 'closed'}, ${user_id}, ${of([null, 'a'.repeat(40)])}, ${ended}, ${open ? null : user_id},
        ${at}, ${at})`.execute(db)
    await sql`insert into project_triggers (project_id, slug, position, type, definition, agent, enabled, last_status,
        last_error, last_attempt_at, created_at, updated_at)
      values (${project_id}, ${`trigger-${n}`}, ${n}, 'webhook', '{}', '{}', ${take(3) > 0},
        ${of(['failed', 'fired', null])}, 'It failed', ${of([null, at])}, ${at}, ${at})`.execute(db)
    const ending = of(['gone', 'too_many_failures', 'user', null])
    await sql`insert into event_subscriptions (subscription_id, account_id, project_id, url, types, sealed_data_key,
        ordering, status, disabled_reason, disabled_at, created_at, updated_at)
      values (${randomUUID()}, ${account_id}, ${of([null, project_id])}, 'https://example.test', '{*}', 'key', 'none',
        ${ending === null ? 'enabled' : 'disabled'}, ${ending}, ${ending === null ? null : at}, ${at}, ${at})`.execute(
      db,
    )
    const lost = of(['user', 'credentials_refused', null])
    await sql`insert into project_channels (channel_id, account_id, project_id, slug, name, platform, status, transport,
        policy, thread_replies, sealed_data_key, sealed_credentials, disconnected_reason, created_by, created_at, updated_at)
      values (${randomUUID()}, ${account_id}, ${project_id}, ${`channel-${n}`}, 'Chat', 'chat_a',
        ${lost === null ? 'connected' : 'disconnected'}, 'events', 'project_open', 'all', 'key',
        ${lost === null ? 'sealed' : null}, ${lost}, ${user_id}, ${at}, ${at})`.execute(db)
    const slug = `connector-${n}`
    await sql`insert into project_connectors (project_id, slug, position, definition, definition_digest, provider, status)
      values (${project_id}, ${slug}, ${n},
        ${JSON.stringify({ name: 'CRM', authorization_strategy: of(['project', 'user']), auth: { type: of(['none', 'bearer']) } })},
        'digest', 'http', ${of(['ready', 'needs_connection'])})`.execute(db)
    await sql`insert into connector_connections (connection_id, project_id, slug, user_id, label, kind, status, is_default,
        created_at, updated_at)
      values (${randomUUID()}, ${project_id}, ${slug}, ${of([null, user_id])}, 'Own', 'credential',
        ${of(['expired', 'active'])}, ${take(2) === 0}, ${at}, ${at})`.execute(db)
  }
  for (const { project_id } of projects) {
    const required = sql<string[]>`(select coalesce(jsonb_agg(slug), '[]') from project_connectors
      where project_id = ${project_id} and position % 3 = 0)`
    const manifest = {
      errors: take(2),
      path: 'agents',
      message: 'No',
      required_secrets: ['KEY', 'ID'].slice(take(3)),
    }
    const known = of([true, true, true, false])
    await sql`update trigger_catalogues set checked_at = ${of([now, now, null])},
        manifest = case when ${known} then ${JSON.stringify(manifest)}::jsonb || jsonb_build_object('required_connectors',
          ${required}) end
      where project_id = ${project_id}`.execute(db)
  }
  for (const { session_id } of sessions) {
    const visibility = of(['project', 'private'])
    const [status, origin] = [of(['running', 'failed']), of(['user', 'trigger', 'system'])]
    const failure = JSON.stringify({ reason: 'internal_error', message: 'It failed' })
    await sql`update project_sessions set status = ${status}, origin = ${origin}, created_by = ${of(people).user_id},
        started_at = ${now}, stopped_at = ${now}, failure = ${failure},
        visibility = ${visibility}, holds_personal_secrets = ${visibility === 'private' && take(4) === 0},
        deleted_at = ${take(6) === 0 ? now : null}, provisioning_at = ${later(-take(1000))}
      where session_id = ${session_id}`.execute(db)
  }
}
