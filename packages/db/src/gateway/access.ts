import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { jsonb } from '../kit/jsonb.ts'
import { prepared } from '../kit/prepared.ts'
import type { AskedCall, CallAdmission } from '../spend/calls.ts'

/** Trouble of a provider's key at this moment: its breaker is not closed, or it cools. */
export interface KeyTrouble {
  readonly provider_id: string
  readonly key_id: string
  /** Null while its breaker is closed. */
  readonly probe_at: string | null
  readonly cooling_until: string | null
}

/** All that a gateway has to know of a caller before it asks a model. */
export interface GatewayAccess {
  readonly token_id: string
  readonly account_id: string
  readonly project_id: string
  readonly session_id: string | null
  readonly agent_name: string | null
  readonly trigger_slug: string | null
  /** Of the turn that runs. A fast agent asks before its turn is reported as begun: it is the prompt that it was given then. */
  readonly prompt_id: string | null
  /** The trace of the turn that runs. */
  readonly traceparent: string | null
  readonly session_model: string | null
  readonly project_model: string | null
  readonly account_model: string | null
  /** The only keys of providers that the session uses, by their slugs. */
  readonly pools: Readonly<Record<string, readonly string[]>>
  /** Globs of the models that the key may name; null for every one. */
  readonly key_models: readonly string[] | null
  /** Another with every change of what the three places decide about models. */
  readonly revision: string
  readonly troubles: readonly KeyTrouble[]
  readonly is_stale_use: boolean
  /** A digest of all of it: the same as long as nothing of it changed. */
  readonly facts: string
}

/**
 * The caller of a gateway key that may ask models now: the key is of use, the project opted in, its account is not
 * suspended and its plan has the gateway. Undefined says that something of it is not so, and not what.
 */
export async function find(db: Db, token_hash: Buffer, now: Date): Promise<GatewayAccess | undefined> {
  const { rows } = await sql<GatewayAccess>`${prepared}
    with caller as materialized (${callerOf(token_hash, now)})
    select caller.*, md5(caller::text) as facts from caller`.execute(db)
  return rows[0]
}

/**
 * Admits a call that was made ready for a caller as it was known, if the caller is the same at this moment; else nothing
 * happens, and it is null. The key is checked and the money set aside by one statement.
 */
export async function admit(
  db: Db,
  known: { readonly token_hash: Buffer; readonly facts: string; readonly now: Date },
  asked: AskedCall,
): Promise<CallAdmission | null> {
  const { rows } = await sql<{ admission: CallAdmission }>`${prepared}
    with caller as materialized (${callerOf(known.token_hash, known.now)})
    select gateway_admit(${jsonb(asked)}::jsonb) as admission
      from caller where md5(caller::text) = ${known.facts}`.execute(db)
  return rows[0]?.admission ?? null
}

function callerOf(token_hash: Buffer, now: Date) {
  return sql`
  select t.token_id, p.account_id, p.project_id, t.session_id, s.agent_name,
    case when s.origin = 'trigger' then s.origin_ref end as trigger_slug,
    turn.prompt_id, turn.traceparent, s.model as session_model, p.default_model as project_model,
    a.default_model as account_model,
    coalesce(s.requested -> 'provider_secret_pools', '{}'::jsonb) as pools, m.models as key_models,
    (select coalesce(string_agg(g.scope || g.revision, '.' order by g.scope), '') from gateway_settings g
      where g.scope = 'operator' or g.account_id = p.account_id or g.project_id = p.project_id) as revision,
    coalesce((select jsonb_agg(jsonb_build_object('provider_id', k.provider_id, 'key_id', k.key_id,
        'probe_at', k.probe_at, 'cooling_until', k.cooling_until))
      from (
        select b.provider_id, b.key_id, b.probe_at, null::timestamptz as cooling_until
          from gateway_breakers b where b.state <> 'closed'
        union all
        select c.provider_id, c.key_id, null, c.cooling_until
          from gateway_provider_keys c where c.cooling_until > ${now}
      ) k join gateway_providers v on v.provider_id = k.provider_id
      where v.scope = 'operator' or v.account_id = p.account_id or v.project_id = p.project_id), '[]') as troubles,
    (t.last_used_at is null or t.last_used_at < ${now}::timestamptz - interval '1 minute') as is_stale_use
  from tokens t
  join projects p on p.project_id = t.project_id
  join accounts a on a.account_id = p.account_id
  join plans l on l.tier = a.tier
  join project_features f on f.project_id = p.project_id and f.feature = 'model_gateway'
  left join gateway_key_limits m on m.token_id = t.token_id
  left join platform_features w on w.feature = 'model_gateway'
  left join project_sessions s on s.session_id = t.session_id and s.project_id = t.project_id
    and s.deleted_at is null
  left join lateral (
    select r.prompt_id, r.traceparent from session_prompts r
    where r.session_id = t.session_id and r.state in ('running', 'delivered')
    order by r.state = 'running' desc, r.position limit 1
  ) turn on true
  where t.token_hash = ${token_hash} and t.kind = 'gateway' and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > ${now})
    and (t.session_id is null or s.session_id is not null)
    and f.enabled and coalesce(w.available, true) and a.suspended_at is null and l.gateway <> 'off'`
}
