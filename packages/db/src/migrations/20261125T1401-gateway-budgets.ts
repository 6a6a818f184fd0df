/** Budgets of projects and accounts, what was spent and is held in each of their windows, and by which calls. */
export const statements: readonly string[] = [
  `create table gateway_budgets (
    budget_id uuid primary key,
    account_id uuid not null references accounts on delete cascade,
    project_id uuid references projects on delete cascade,
    name text not null,
    level text not null check (level in ('call', 'session', 'trigger', 'agent', 'project', 'account', 'key')),
    subject text,
    period text not null check (period in ('call', 'hour', 'day', 'week', 'month', 'total')),
    cap_micros bigint not null check (cap_micros between 0 and 1000000000000),
    mode text not null check (mode in ('block', 'alert')),
    created_by uuid not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    unique nulls not distinct (account_id, project_id, level, subject, period, mode),
    check ((level = 'call') = (period = 'call')),
    check (level <> 'call' or subject is null),
    check (case when project_id is null then level in ('account', 'project') else level <> 'account' end)
  )`,
  `create index gateway_budgets_project on gateway_budgets (project_id) where project_id is not null`,

  `create table gateway_budget_windows (
    budget_id uuid not null references gateway_budgets on delete cascade,
    subject text not null,
    window_start timestamptz(3) not null,
    resets_at timestamptz(3) check (resets_at > window_start),
    lock_order integer not null,
    spent_micros bigint not null default 0 check (spent_micros >= 0),
    held_micros bigint not null default 0 check (held_micros >= 0),
    alerted integer not null default 0,
    primary key (budget_id, subject, window_start)
  ) with (fillfactor = 50)`,
  `create index gateway_budget_windows_resets on gateway_budget_windows (resets_at)`,

  // A call that is live no more has no hold: its row says false, and the key beside would not be found.
  `create table gateway_holds (
    call_id uuid not null,
    live boolean not null default true check (live),
    budget_id uuid not null,
    subject text not null,
    window_start timestamptz(3) not null,
    held_micros bigint not null check (held_micros >= 0),
    primary key (call_id, budget_id, subject, window_start),
    foreign key (call_id, live) references gateway_calls (call_id, live),
    foreign key (budget_id, subject, window_start) references gateway_budget_windows on delete cascade
  )`,
  `create index gateway_holds_window on gateway_holds (budget_id, subject, window_start)`,

  // What crossed a threshold in a window, once; reported is when audit and session heard of it.
  `create table gateway_budget_alerts (
    budget_id uuid not null,
    subject text not null,
    window_start timestamptz(3) not null,
    threshold integer not null check (threshold between 1 and 100),
    call_id uuid not null,
    spent_micros bigint not null,
    cap_micros bigint not null,
    at timestamptz(3) not null,
    reported_at timestamptz(3),
    primary key (budget_id, subject, window_start, threshold),
    foreign key (budget_id, subject, window_start) references gateway_budget_windows on delete cascade
  )`,
  `create index gateway_budget_alerts_unreported on gateway_budget_alerts (at) where reported_at is null`,
]
