/**
 * Events of the platform, each written by a trigger in the transaction of the change that it tells: no writer forgets one,
 * and none is told that did not happen. The functions have the rights of the schema's owner, so that no service may write
 * an event by itself.
 */
const record = `create function record_platform_event(
    account uuid, project uuid, session uuid, kind text, body jsonb
  ) returns text language plpgsql security definer set search_path from current as $$
  declare
    bytes bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
    id text := 'evt_';
  begin
    for n in 0..25 loop
      id := id || substr('abcdefghijklmnopqrstuvwxyz234567', 1 + (get_byte(bytes, n) & 31), 1);
    end loop;
    insert into platform_events (event_id, account_id, project_id, session_id, type, data, occurred_at)
      values (id, account, project, session, kind, body, now());
    perform pg_notify('svc_platform_event', json_build_object('account_id', account)::text);
    return id;
  end
$$`

const sessionFacts = `create function session_event_facts(s project_sessions) returns jsonb language sql immutable as $$
  select jsonb_build_object('session_id', s.session_id, 'status', s.status, 'agent_name', s.agent_name,
    'origin', s.origin, 'stop_reason', s.stop_reason, 'failure_category', s.failure ->> 'category')
$$`

/** The host of a project's monitors is no session of a person's. */
const ofSession = `create function record_session_event() returns trigger
  language plpgsql security definer set search_path from current as $$
  declare
    told_type text;
  begin
    if new.requested ? 'monitors' then return null; end if;
    if tg_op = 'INSERT' then told_type := 'session.created';
    elsif old.deleted_at is null and new.deleted_at is not null then told_type := 'session.deleted';
    elsif old.status is distinct from new.status and new.status in ('running', 'stopped', 'failed')
      then told_type := 'session.' || new.status;
    else return null;
    end if;
    perform record_platform_event(new.account_id, new.project_id, new.session_id, told_type, session_event_facts(new));
    return null;
  end
$$`

const ofTurn = `create function record_turn_event() returns trigger
  language plpgsql security definer set search_path from current as $$
  begin
    perform record_platform_event(s.account_id, s.project_id, s.session_id, 'session.turn_ended',
      session_event_facts(s) || jsonb_build_object('prompt_id', new.prompt_id, 'outcome', new.state))
    from project_sessions s where s.session_id = new.session_id;
    return null;
  end
$$`

const ofAsk = `create function record_ask_event() returns trigger
  language plpgsql security definer set search_path from current as $$
  begin
    perform record_platform_event(s.account_id, s.project_id, s.session_id, 'session.waiting',
      session_event_facts(s) || jsonb_build_object('request_id', new.request_id, 'ask', new.kind))
    from project_sessions s where s.session_id = new.session_id;
    return null;
  end
$$`

const crFacts = `create function change_request_event_facts(c change_requests) returns jsonb language sql immutable as $$
  select jsonb_build_object('cr_id', c.cr_id, 'number', c.number, 'title', c.title, 'status', c.status,
    'base_ref', c.base_ref, 'head_ref', c.head_ref, 'merge_commit_sha', c.merge_commit_sha,
    'origin_session_id', c.origin_session_id)
$$`

const ofChangeRequest = `create function record_change_request_event() returns trigger
  language plpgsql security definer set search_path from current as $$
  declare
    told_type text;
  begin
    if tg_op = 'INSERT' then told_type := 'cr.opened';
    elsif old.status is distinct from new.status then
      told_type := case new.status when 'merged' then 'cr.merged' when 'closed' then 'cr.closed' when 'open' then 'cr.reopened' end;
    elsif jsonb_array_length(coalesce(new.metadata -> 'requested_changes', '[]'))
      > jsonb_array_length(coalesce(old.metadata -> 'requested_changes', '[]')) then told_type := 'cr.changes_requested';
    end if;
    if told_type is null then return null; end if;
    perform record_platform_event(new.account_id, new.project_id, new.origin_session_id, told_type,
      change_request_event_facts(new));
    return null;
  end
$$`

const ofMerge = `create function record_refused_merge() returns trigger
  language plpgsql security definer set search_path from current as $$
  begin
    perform record_platform_event(c.account_id, c.project_id, c.origin_session_id, 'cr.merge_failed',
      change_request_event_facts(c) || jsonb_build_object('code', coalesce(new.outcome ->> 'code', 'conflict')))
    from change_requests c where c.cr_id = new.cr_id;
    return null;
  end
$$`

const ofFire = `create function record_fire_event() returns trigger
  language plpgsql security definer set search_path from current as $$
  declare
    told_type text := case new.status when 'fired' then 'trigger.fired' when 'failed' then 'trigger.failed'
      when 'missed' then 'trigger.failed' end;
  begin
    if told_type is null or (tg_op = 'UPDATE' and old.status = new.status) then return null; end if;
    perform record_platform_event(p.account_id, p.project_id, new.session_id, told_type,
      jsonb_build_object('slug', new.slug, 'type', new.type, 'fire_id', new.fire_id, 'session_id', new.session_id,
        'reason', new.reason))
    from projects p where p.project_id = new.project_id;
    return null;
  end
$$`

const ofPause = `create function record_pause_event() returns trigger
  language plpgsql security definer set search_path from current as $$
  declare
    fields jsonb := to_jsonb(new);
    is_paused boolean := coalesce((fields ->> 'paused')::boolean, not (fields ->> 'enabled')::boolean);
  begin
    perform record_platform_event(p.account_id, p.project_id, null,
      case when is_paused then 'trigger.paused' else 'trigger.resumed' end,
      jsonb_build_object('slug', fields ->> 'slug', 'type', fields ->> 'type', 'fire_id', null, 'session_id', null,
        'reason', null))
    from projects p where p.project_id = new.project_id;
    return null;
  end
$$`

const ofAlert = `create function record_budget_event() returns trigger
  language plpgsql security definer set search_path from current as $$
  begin
    perform record_platform_event(b.account_id, b.project_id, c.session_id,
      case when new.threshold >= 100 then 'budget.exceeded' else 'budget.alert' end,
      jsonb_build_object(
        'budget', jsonb_build_object('budget_id', b.budget_id, 'name', b.name, 'level', b.level, 'subject', b.subject,
          'period', b.period),
        'threshold', new.threshold, 'cap_micros', new.cap_micros, 'spent_micros', new.spent_micros,
        'session_id', c.session_id))
    from gateway_budgets b left join gateway_calls c on c.call_id = new.call_id
    where b.budget_id = new.budget_id;
    return null;
  end
$$`

const ofApproval = `create function record_approval_event() returns trigger
  language plpgsql security definer set search_path from current as $$
  declare
    told_type text := case when tg_op = 'INSERT' then 'requested' when new.status in ('approved', 'denied') then 'decided'
      when new.status = 'expired' then 'expired' end;
  begin
    if told_type is null or (tg_op = 'UPDATE' and old.status = new.status) then return null; end if;
    perform record_platform_event(p.account_id, p.project_id, c.session_id, 'approval.' || told_type,
      jsonb_build_object('call_id', c.call_id, 'slug', c.slug, 'action', c.action, 'status', new.status,
        'session_id', c.session_id))
    from connector_calls c join projects p on p.project_id = c.project_id where c.call_id = new.call_id;
    return null;
  end
$$`

const ofApprovedCall = `create function record_executed_call() returns trigger
  language plpgsql security definer set search_path from current as $$
  begin
    perform record_platform_event(p.account_id, p.project_id, new.session_id, 'approval.executed',
      jsonb_build_object('call_id', new.call_id, 'slug', new.slug, 'action', new.action, 'status', new.status,
        'session_id', new.session_id))
    from connector_approvals a join projects p on p.project_id = a.project_id
    where a.call_id = new.call_id and a.status = 'approved';
    return null;
  end
$$`

export const statements: readonly string[] = [
  `create table platform_events (
    event_id text primary key check (event_id ~ '^evt_[a-z2-7]{26}$'),
    account_id uuid not null references accounts on delete cascade,
    project_id uuid,
    session_id uuid,
    type text not null,
    data jsonb not null check (jsonb_typeof(data) = 'object'),
    occurred_at timestamptz(3) not null,
    seq bigint,
    published_at timestamptz(3),
    -- The order in which they were written, before they have a sequence of their own.
    position bigint generated always as identity,
    unique (account_id, seq),
    check ((seq is null) = (published_at is null))
  )`,
  `create index platform_events_unpublished on platform_events (account_id, position) where seq is null`,
  `create index platform_events_age on platform_events (occurred_at)`,
  `create table platform_event_heads (
    account_id uuid primary key references accounts on delete cascade,
    last_seq bigint not null default 0
  )`,
  `create function platform_events_are_append_only() returns trigger language plpgsql as $$
    begin
      if old.seq is null and to_jsonb(new) - 'seq' - 'published_at' = to_jsonb(old) - 'seq' - 'published_at' then
        return new;
      end if;
      raise exception 'an event of the platform does not change';
    end $$`,
  `create trigger platform_events_are_append_only before update on platform_events
    for each row execute function platform_events_are_append_only()`,
  ...[
    record,
    sessionFacts,
    ofSession,
    ofTurn,
    ofAsk,
    crFacts,
    ofChangeRequest,
    ofMerge,
    ofFire,
    ofPause,
    ofAlert,
  ],
  ...[ofApproval, ofApprovedCall],
  `create trigger project_sessions_event after insert or update of status, deleted_at on project_sessions
    for each row execute function record_session_event()`,
  `create trigger session_prompts_event after update of state on session_prompts for each row
    when (old.state is distinct from new.state and (new.state = 'done' or (new.state = 'failed' and old.state = 'running')))
    execute function record_turn_event()`,
  `create trigger session_asks_event after insert on session_asks for each row execute function record_ask_event()`,
  `create trigger change_requests_event after insert or update of status, metadata on change_requests
    for each row execute function record_change_request_event()`,
  `create trigger merge_attempts_event after update of status on merge_attempts for each row
    when (old.status is distinct from new.status and new.status = 'refused') execute function record_refused_merge()`,
  `create trigger trigger_fires_event after insert or update of status on trigger_fires
    for each row execute function record_fire_event()`,
  `create trigger project_triggers_event after update of enabled on project_triggers for each row
    when (old.enabled is distinct from new.enabled) execute function record_pause_event()`,
  `create trigger trigger_catalogues_event after update of paused on trigger_catalogues for each row
    when (old.paused is distinct from new.paused) execute function record_pause_event()`,
  `create trigger trigger_catalogues_new_event after insert on trigger_catalogues for each row
    when (new.paused) execute function record_pause_event()`,
  `create trigger gateway_budget_alerts_event after insert on gateway_budget_alerts
    for each row execute function record_budget_event()`,
  `create trigger connector_approvals_event after insert or update of status on connector_approvals
    for each row execute function record_approval_event()`,
  `create trigger connector_calls_event after update of status on connector_calls for each row
    when (old.status is distinct from new.status and new.status in ('succeeded', 'failed', 'unknown'))
    execute function record_executed_call()`,
]
