/**
 * Admissions read the live calls of an account by `gateway_calls_running` alone, and never as a bitmap: only an index scan
 * marks the entries of calls that ended, so that the next one passes them over. Their statements are planned once a
 * connection: planning them anew took as long as running them.
 */
export const statements: readonly string[] = [
  `create or replace function gateway_write(c gateway_calls) returns void language plpgsql as $$
    begin
      insert into gateway_calls (call_id, at, account_id, project_id, session_id, prompt_id, trigger_slug, agent_name,
        token_id, dialect, model_asked, model, provider, provider_scope, status, live, http_status, code, streamed, attempts,
        input_tokens, cost_micros, hold_micros, price_id, request_id, expires_at, bounded, lost_micros,
        credit_hold_micros, markup_percent, budget_id, floor_micros)
      values (c.call_id, c.at, c.account_id, c.project_id, c.session_id, c.prompt_id, c.trigger_slug, c.agent_name,
        c.token_id, c.dialect, c.model_asked, c.model, c.provider, c.provider_scope, c.status, c.status = 'admitted', c.http_status, c.code,
        c.streamed, c.attempts, c.input_tokens, c.cost_micros, c.hold_micros, c.price_id, c.request_id, c.expires_at,
        c.bounded, c.lost_micros, c.credit_hold_micros, c.markup_percent, c.budget_id, c.floor_micros);
    end $$`,
  `create or replace function gateway_key_limit(c gateway_calls, t timestamptz) returns jsonb language plpgsql as $$
    declare
      l gateway_key_limits; requests bigint; tokens bigint; running bigint; oldest timestamptz; ending timestamptz;
    begin
      select * into l from gateway_key_limits where token_id = c.token_id for update;
      if not found then return null; end if;
      select count(*), coalesce(sum(input_tokens + output_tokens), 0), min(at) into requests, tokens, oldest
        from gateway_calls where token_id = c.token_id and at > t - interval '1 minute' and status <> 'refused';
      if l.concurrency is not null then
        select count(*), min(expires_at) into running, ending
          from gateway_calls where account_id::text = c.account_id::text and live
            and token_id = c.token_id and expires_at > t;
      end if;
      return case
        when requests >= l.requests_per_minute then jsonb_build_object('limited', 'requests_per_minute', 'limit',
          l.requests_per_minute, 'free_at', oldest + interval '1 minute')
        when tokens >= l.tokens_per_minute then jsonb_build_object('limited', 'tokens_per_minute', 'limit',
          l.tokens_per_minute, 'free_at', oldest + interval '1 minute')
        when running >= l.concurrency then jsonb_build_object('limited', 'concurrency', 'limit', l.concurrency,
          'free_at', ending)
      end;
    end $$`,

  // Ends every expired call of an account; how many.
  `create or replace function gateway_sweep(account uuid) returns integer language plpgsql
    set enable_seqscan = off set enable_bitmapscan = off as $$
    declare t constant timestamptz := clock_timestamp(); expired uuid[];
    begin
      select array_agg(call_id) into expired from gateway_calls
        where account_id::text = account::text and live and expires_at <= t;
      if expired is null then return 0; end if;
      perform gateway_lock_windows('{}', '{}', '{}', expired);
      return gateway_expire(expired, t);
    end $$`,

  // asked: the columns of the call that are known, and how it is to be paid: want, floor, free, priced, unbounded, billed.
  `create or replace function gateway_admit(asked jsonb) returns jsonb language plpgsql
    set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
    set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
    declare
      t constant timestamptz := date_trunc('milliseconds', clock_timestamp());
      want constant bigint := asked ->> 'want_micros';
      needed constant bigint := greatest((asked ->> 'floor_micros')::bigint, 1);
      free constant boolean := asked ->> 'free';
      priced constant boolean := asked ->> 'priced';
      billed constant boolean := (asked ->> 'billed')::boolean and not free;
      countable constant boolean := coalesce((asked ->> 'countable')::boolean, false);
      c gateway_calls; tight record; credit credit_accounts; limited jsonb;
      plan_gateway text; plan_billing text; monthly bigint; markup integer; state text; balance bigint;
      ids uuid[]; subjects text[]; starts timestamptz[]; resets timestamptz[]; orders integer[]; expired uuid[];
      blocking boolean; rest bigint; room bigint; granted bigint;
    begin
      c := jsonb_populate_record(jsonb_populate_record(null::gateway_calls,
        '{"attempts": [], "markup_percent": 0, "bounded": false, "input_tokens": 0}'), asked);
      c.at := t;
      if billed then
        select p.gateway, p.billing, p.monthly_credit_micros, p.markup_percent, k.billing_state, k.balance_micros
          into plan_gateway, plan_billing, monthly, markup, state, balance
          from accounts a join plans p using (tier) left join credit_accounts k using (account_id)
          where a.account_id = c.account_id;
        if plan_gateway <> 'managed' then
          return gateway_refuse(c, 'subscription_required', 402, jsonb_build_object('billing_state',
            coalesce(state, 'none'), 'balance', balance, 'account_id', c.account_id));
        end if;
        if plan_billing = 'credit' and state is null then
          return gateway_refuse(c, 'no_account', 402, jsonb_build_object('billing_state', 'none', 'balance', null,
            'account_id', c.account_id));
        end if;
      end if;

      if not free then
        select array_agg(b.budget_id order by s.lock_order, b.budget_id),
            array_agg(s.subject order by s.lock_order, b.budget_id),
            array_agg(gateway_window_start(b.period, t) order by s.lock_order, b.budget_id),
            array_agg(gateway_window_end(b.period, t) order by s.lock_order, b.budget_id),
            array_agg(s.lock_order order by s.lock_order, b.budget_id),
            bool_or(b.mode = 'block')
          into ids, subjects, starts, resets, orders, blocking
          from gateway_budgets b cross join lateral (select * from (values
              ('account', 1::integer, c.account_id::text), ('project', 2, c.project_id::text),
              ('agent', 3, c.agent_name), ('trigger', 4, c.trigger_slug), ('session', 5, c.session_id::text),
              ('key', 6, c.token_id::text)) as v (level, lock_order, subject) where v.level = b.level) s
          where b.account_id = c.account_id and (b.project_id is null or b.project_id = c.project_id)
            and s.subject is not null and (b.subject is null or b.subject = s.subject);
        c.bounded := coalesce(blocking, false) or coalesce(plan_billing = 'credit', false) or exists (select from gateway_budgets b
          where b.account_id = c.account_id and b.project_id = c.project_id and b.level = 'call' and b.mode = 'block');
        if c.bounded and asked ->> 'unbounded' is not null then
          return gateway_refuse(c, 'cost_not_bounded', 400, jsonb_build_object('field', asked ->> 'unbounded'));
        end if;
        if c.bounded and not priced then
          return gateway_refuse(c, 'model_unpriced', 422, jsonb_build_object('model', c.model));
        end if;
      end if;

      select array_agg(call_id) into expired from gateway_calls
        where account_id::text = c.account_id::text and live and expires_at <= t;
      if ids is not null then
        insert into gateway_budget_windows (budget_id, subject, window_start, resets_at, lock_order)
          select k.* from unnest(ids, subjects, starts, resets, orders)
            as k (budget_id, subject, window_start, resets_at, lock_order)
          where not exists (select from gateway_budget_windows w where w.budget_id = k.budget_id
            and w.subject = k.subject and w.window_start = k.window_start)
          order by k.lock_order, k.budget_id
          on conflict do nothing;
      end if;
      if ids is not null or expired is not null then
        perform gateway_lock_windows(ids, subjects, starts, expired);
      end if;
      limited := gateway_key_limit(c, t);
      if expired is not null then perform gateway_expire(expired, t); end if;
      if limited is not null then return gateway_refuse(c, 'rate_limit_exceeded', 429, limited); end if;

      granted := case when free then 0 else coalesce(want, 0) end;
      if c.bounded then
        select * into tight from (
          select b.budget_id, b.name, b.level, b.subject, b.period, b.cap_micros, w.spent_micros, w.held_micros,
            w.resets_at, b.cap_micros - w.spent_micros - w.held_micros as room, w.lock_order, w.subject as window_subject,
            w.window_start
            from unnest(ids, subjects, starts) as k (budget_id, subject, window_start)
              join gateway_budget_windows w using (budget_id, subject, window_start)
              join gateway_budgets b on b.budget_id = w.budget_id
            where b.mode = 'block'
          union all
          select b.budget_id, b.name, b.level, b.subject, b.period, b.cap_micros, 0, 0, null, b.cap_micros, 0, null, null
            from gateway_budgets b where b.account_id = c.account_id and b.project_id = c.project_id
              and b.level = 'call' and b.mode = 'block'
          ) of_all order by room, lock_order, budget_id limit 1;
        rest := tight.room;
        if plan_billing = 'credit' then
          credit := gateway_lock_credit(c.account_id, monthly, t);
          c.markup_percent := markup;
          room := floor((credit.balance_micros - credit.held_micros)::numeric * 100 / (100 + c.markup_percent));
          if credit.billing_state in ('past_due', 'canceled') or (room < needed and (rest is null or room < rest)) then
            return gateway_refuse(c, 'insufficient_credits', 402, jsonb_build_object('billing_state',
              credit.billing_state, 'balance', credit.balance_micros, 'account_id', c.account_id),
              countable and room > 0 and credit.billing_state not in ('past_due', 'canceled'));
          end if;
          rest := least(rest, room);
        end if;
        if rest < needed then
          return gateway_refuse(c, 'budget_exceeded', 402, jsonb_build_object('budget', jsonb_build_object(
              'budget_id', tight.budget_id, 'name', tight.name, 'level', tight.level, 'subject', tight.subject,
              'period', tight.period),
            'cap_micros', tight.cap_micros, 'spent_micros', tight.spent_micros, 'held_micros', tight.held_micros,
            'resets_at', tight.resets_at,
            'free_at', case when tight.cap_micros - tight.spent_micros >= needed then (select min(g.expires_at)
              from gateway_holds h join gateway_calls g using (call_id) where h.budget_id = tight.budget_id
                and h.subject = tight.window_subject and h.window_start = tight.window_start) end),
            countable and rest > 0);
        end if;
        granted := least(granted, rest);
        if plan_billing = 'credit' then
          c.credit_hold_micros := (granted * (100 + c.markup_percent) + 99) / 100;
          update credit_accounts set held_micros = held_micros + c.credit_hold_micros
            where account_id = c.account_id;
        end if;
      end if;

      c.status := 'admitted';
      c.hold_micros := granted;
      c.expires_at := t + interval '15 seconds';
      perform gateway_write(c);
      if ids is not null then
        with held as (
          update gateway_budget_windows w set held_micros = w.held_micros + c.hold_micros
            from unnest(ids, subjects, starts) as k (budget_id, subject, window_start)
            where w.budget_id = k.budget_id and w.subject = k.subject and w.window_start = k.window_start
            returning w.budget_id, w.subject, w.window_start
        )
        insert into gateway_holds (call_id, budget_id, subject, window_start, held_micros)
          select c.call_id, budget_id, subject, window_start, c.hold_micros from held;
      end if;
      return jsonb_build_object('outcome', 'granted', 'granted_micros', c.hold_micros, 'bounded', c.bounded,
        'at', c.at, 'expires_at', c.expires_at);
    end $$`,
  `alter function gateway_settle(jsonb) set plan_cache_mode = force_generic_plan`,
]
