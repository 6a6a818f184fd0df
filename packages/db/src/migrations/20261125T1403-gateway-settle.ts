/**
 * The end of a call of the gateway. Every function locks in one order: windows (by lock_order, budget_id, subject,
 * window_start), the limits of a key, calls by call_id, the account's credit.
 */
export const statements: readonly string[] = [
  // Locks the windows that are named and those that these calls hold.
  `create function gateway_lock_windows(ids uuid[], subjects text[], starts timestamptz[], calls uuid[])
    returns void language plpgsql
    set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
    begin
      perform w.lock_order from gateway_budget_windows w
        join (select * from unnest(ids, subjects, starts) as k (budget_id, subject, window_start)
          union select h.budget_id, h.subject, h.window_start from gateway_holds h where h.call_id = any(calls)) k
        using (budget_id, subject, window_start)
        order by w.lock_order, w.budget_id, w.subject, w.window_start
        for no key update of w;
    end $$`,

  // Usage of the account's credit: one entry a project and hour. The row of the credit is locked by its update.
  `create function gateway_use_credit(c gateway_calls, released bigint, billed bigint, t timestamptz)
    returns void language plpgsql as $$
    declare balance bigint;
    begin
      update credit_accounts set held_micros = held_micros - released, balance_micros = balance_micros - billed,
        billing_state = case
          when billing_state = 'active' and balance_micros - billed <= 0 then 'exhausted'
          when billing_state = 'exhausted' and balance_micros - billed > 0 then 'active'
          else billing_state end,
        updated_at = t
        where account_id = c.account_id returning balance_micros into balance;
      if billed = 0 or balance is null then return; end if;
      insert into credit_ledger as l (entry_id, account_id, at, kind, amount_micros, balance_after_micros, project_id,
          reason, idempotency_key)
        values (gen_random_uuid(), c.account_id, t, 'usage', -billed, balance, c.project_id, 'Model calls',
          'usage:' || c.project_id || ':' || to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24'))
        on conflict (account_id, idempotency_key) do update set
          amount_micros = l.amount_micros + excluded.amount_micros,
          balance_after_micros = excluded.balance_after_micros, at = excluded.at;
    end $$`,

  // Writes the alerts of windows whose spent money crossed a threshold, each once, and gives the new ones.
  `create function gateway_cross(ids uuid[], subjects text[], starts timestamptz[], call uuid, t timestamptz)
    returns jsonb language sql
    set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
    with crossed as (
      select w.budget_id, w.subject, w.window_start, w.spent_micros, b.cap_micros, s.threshold
      from unnest(ids, subjects, starts) as k (budget_id, subject, window_start)
        join gateway_budget_windows w using (budget_id, subject, window_start)
        join gateway_budgets b on b.budget_id = w.budget_id
        cross join (values (50), (80), (90), (100)) as s (threshold)
      where s.threshold > w.alerted and w.spent_micros * 100 >= b.cap_micros * s.threshold
    ), written as (
      insert into gateway_budget_alerts as a (budget_id, subject, window_start, threshold, call_id, spent_micros,
          cap_micros, at)
        select budget_id, subject, window_start, threshold, call, spent_micros, cap_micros, t from crossed
        on conflict do nothing
        returning a.budget_id, a.subject, a.window_start, a.threshold, a.spent_micros, a.cap_micros
    ), marked as (
      update gateway_budget_windows w set alerted = m.threshold
        from (select budget_id, subject, window_start, max(threshold) as threshold from crossed group by 1, 2, 3) m
        where w.budget_id = m.budget_id and w.subject = m.subject and w.window_start = m.window_start
    )
    select coalesce(jsonb_agg(to_jsonb(written) order by threshold), '[]') from written
  $$`,

  // Lets go what a call holds and charges its windows and its credit; the windows are locked. Gives both lists.
  `create function gateway_charge(c gateway_calls, charged bigint, billed bigint, t timestamptz)
    returns jsonb language plpgsql
    set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
    declare ids uuid[]; subjects text[]; starts timestamptz[]; windows jsonb; crossed boolean;
    begin
      select array_agg(h.budget_id), array_agg(h.subject), array_agg(h.window_start),
          jsonb_agg(jsonb_build_object('budget_id', h.budget_id, 'subject', h.subject, 'window_start', h.window_start))
        into ids, subjects, starts, windows from gateway_holds h where h.call_id = c.call_id;
      if ids is not null then
        with moved as (
          update gateway_budget_windows w set held_micros = w.held_micros - h.held_micros,
            spent_micros = w.spent_micros + charged
          from gateway_holds h where h.call_id = c.call_id and w.budget_id = h.budget_id and w.subject = h.subject
            and w.window_start = h.window_start
          returning w.budget_id, w.spent_micros, w.alerted
        )
        select bool_or(m.alerted < 100 and m.spent_micros * 100 >= b.cap_micros * (case m.alerted
            when 0 then 50 when 50 then 80 when 80 then 90 else 100 end)) into crossed
          from moved m join gateway_budgets b using (budget_id);
        delete from gateway_holds where call_id = c.call_id;
      end if;
      if c.credit_hold_micros is not null then
        perform gateway_use_credit(c, c.credit_hold_micros, billed, t);
      end if;
      return jsonb_build_object('windows', coalesce(windows, '[]'), 'alerts',
        case when crossed and charged > 0 then gateway_cross(ids, subjects, starts, c.call_id, t) else '[]' end);
    end $$`,

  `create function gateway_billed(c gateway_calls, charged bigint) returns bigint language sql immutable as $$
    select case when c.credit_hold_micros is null then 0 else (charged * (100 + c.markup_percent) + 99) / 100 end
  $$`,

  // Ends calls that expired, as lost: each is charged what its last beat said. Their windows are locked.
  `create function gateway_expire(expired uuid[], t timestamptz) returns integer language plpgsql as $$
    declare c gateway_calls; cost bigint; done jsonb; count integer := 0;
    begin
      for c in select * from gateway_calls where call_id = any(expired) and live and expires_at <= t
        order by call_id for no key update
      loop
        cost := case when c.bounded then least(c.lost_micros, c.hold_micros) else c.lost_micros end;
        done := gateway_charge(c, coalesce(cost, 0), gateway_billed(c, coalesce(cost, 0)), t);
        update gateway_calls set status = 'lost', live = false, expires_at = null, estimated = true, cost_micros = cost,
          billed_micros = gateway_billed(c, coalesce(cost, 0)),
          overrun_micros = coalesce(lost_micros - cost, 0), charged_windows = done -> 'windows',
          duration_ms = (extract(epoch from t - c.at) * 1000)::integer
          where call_id = c.call_id;
        count := count + 1;
      end loop;
      return count;
    end $$`,

  // Ends every expired call of an account; how many.
  `create function gateway_sweep(account uuid) returns integer language plpgsql as $$
    declare t constant timestamptz := clock_timestamp(); expired uuid[];
    begin
      select array_agg(call_id) into expired from gateway_calls
        where account_id = account and live and expires_at <= t;
      if expired is null then return 0; end if;
      perform gateway_lock_windows('{}', '{}', '{}', expired);
      return gateway_expire(expired, t);
    end $$`,

  // A settle that comes after its call was lost may only lower what was charged.
  `create function gateway_lower(c gateway_calls, s gateway_calls, t timestamptz) returns boolean language plpgsql
    set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
    declare less bigint := c.cost_micros - s.cost_micros; billed bigint;
    begin
      if less is null or less <= 0 then return false; end if;
      update gateway_budget_windows w set spent_micros = w.spent_micros - less
        from jsonb_to_recordset(c.charged_windows) as k (budget_id uuid, subject text, window_start timestamptz)
        where w.budget_id = k.budget_id and w.subject = k.subject and w.window_start = k.window_start;
      billed := gateway_billed(c, s.cost_micros);
      update gateway_calls set cost_micros = s.cost_micros, billed_micros = billed, overrun_micros = 0,
        input_tokens = s.input_tokens, output_tokens = s.output_tokens, cache_read_tokens = s.cache_read_tokens,
        cache_write_tokens = s.cache_write_tokens, cache_write_1h_tokens = s.cache_write_1h_tokens,
        reasoning_tokens = s.reasoning_tokens, estimated = s.estimated, model = s.model, provider = s.provider,
        provider_scope = s.provider_scope, price_id = s.price_id
        where call_id = c.call_id;
      if c.credit_hold_micros is not null then perform gateway_use_credit(c, 0, billed - c.billed_micros, t); end if;
      return true;
    end $$`,

  // Ends a call, once. Columns that the settlement leaves out stay as they are.
  `create function gateway_settle(settlement jsonb) returns jsonb language plpgsql as $$
    declare
      t constant timestamptz := clock_timestamp();
      id constant uuid := settlement ->> 'call_id';
      c gateway_calls; s gateway_calls; charged bigint; billed bigint; done jsonb;
      ids uuid[]; subjects text[]; starts timestamptz[];
    begin
      -- Those of a call that was lost stand in its row.
      select array_agg(k.budget_id), array_agg(k.subject), array_agg(k.window_start) into ids, subjects, starts
        from gateway_calls g, jsonb_to_recordset(g.charged_windows)
          as k (budget_id uuid, subject text, window_start timestamptz)
        where g.call_id = id;
      perform gateway_lock_windows(ids, subjects, starts, array[id]);
      select * into c from gateway_calls where call_id = id for no key update;
      if not found then return jsonb_build_object('outcome', 'unknown'); end if;
      s := jsonb_populate_record(c, settlement);
      if c.status = 'lost' then
        return jsonb_build_object('outcome', 'lost', 'lowered', gateway_lower(c, s, t));
      end if;
      if not c.live then return jsonb_build_object('outcome', 'ended', 'status', c.status); end if;
      charged := case when c.bounded then least(s.cost_micros, c.hold_micros) else s.cost_micros end;
      billed := gateway_billed(c, coalesce(charged, 0));
      done := gateway_charge(c, coalesce(charged, 0), billed, t);
      update gateway_calls set status = s.status, live = false, expires_at = null, cost_micros = charged, billed_micros = billed,
        overrun_micros = coalesce(s.cost_micros - charged, 0), http_status = s.http_status, code = s.code,
        finish = s.finish, attempts = s.attempts, input_tokens = s.input_tokens, output_tokens = s.output_tokens,
        cache_read_tokens = s.cache_read_tokens, cache_write_tokens = s.cache_write_tokens,
        cache_write_1h_tokens = s.cache_write_1h_tokens, reasoning_tokens = s.reasoning_tokens,
        estimated = s.estimated, model = s.model, provider = s.provider, provider_scope = s.provider_scope,
        price_id = s.price_id, first_byte_ms = s.first_byte_ms, duration_ms = s.duration_ms,
        upstream_request_id = s.upstream_request_id
        where call_id = id;
      return jsonb_build_object('outcome', 'settled', 'charged_micros', charged, 'billed_micros', billed,
        'overrun_micros', coalesce(s.cost_micros - charged, 0), 'alerts', done -> 'alerts',
        'call', jsonb_build_object('account_id', c.account_id, 'project_id', c.project_id, 'session_id', c.session_id,
          'token_id', c.token_id));
    end $$`,
]
