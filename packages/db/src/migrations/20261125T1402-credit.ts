/** Payment of a plan for what the service bills, and the credit of accounts: its balance is the sum of its ledger. */
export const statements: readonly string[] = [
  `alter table plans
    add column billing text not null default 'none' check (billing in ('none', 'credit')),
    add column monthly_credit_micros bigint not null default 0 check (monthly_credit_micros >= 0),
    add column markup_percent integer not null default 0 check (markup_percent between 0 and 1000)`,
  `update plans set billing = 'credit' where tier in ('team', 'enterprise')`,

  `create table credit_accounts (
    account_id uuid primary key references accounts on delete cascade,
    balance_micros bigint not null default 0,
    held_micros bigint not null default 0 check (held_micros >= 0),
    billing_state text not null check (billing_state in ('active', 'exhausted', 'past_due', 'canceled')),
    granted_month date,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  ) with (fillfactor = 50)`,

  `create table credit_ledger (
    entry_id uuid primary key,
    account_id uuid not null references credit_accounts on delete cascade,
    position bigint not null generated always as identity,
    at timestamptz(3) not null,
    kind text not null check (kind in ('grant', 'purchase', 'usage', 'refund', 'adjustment', 'expiry')),
    amount_micros bigint not null,
    balance_after_micros bigint not null,
    call_id uuid,
    project_id uuid,
    reason text,
    idempotency_key text,
    unique (account_id, idempotency_key)
  )`,
  `create unique index credit_ledger_newest on credit_ledger (account_id, position desc)`,
  // Usage is one entry a project and hour, which the calls of that hour raise; every other entry is written once.
  `create function credit_ledger_is_final() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and old.kind = 'usage' and new.kind = 'usage' and new.entry_id = old.entry_id
        and new.account_id = old.account_id then return new; end if;
      raise exception 'The ledger of credit is only added to';
    end $$`,
  `create trigger credit_ledger_is_final before update on credit_ledger
    for each row execute function credit_ledger_is_final()`,
]
