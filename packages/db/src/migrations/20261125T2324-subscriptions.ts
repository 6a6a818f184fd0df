/** The word of the newest event on each subscription: events come in any order, and an older one changes nothing. */
export const statements: readonly string[] = [
  `create table billing_subscriptions (
    adapter text not null,
    subscription_id text not null,
    account_id uuid not null references accounts on delete cascade,
    billing_state text not null check (billing_state in ('active', 'past_due', 'canceled')),
    tier text,
    event_at timestamptz(3) not null,
    primary key (adapter, subscription_id)
  )`,
  `create index billing_subscriptions_account on billing_subscriptions (account_id)`,
]
