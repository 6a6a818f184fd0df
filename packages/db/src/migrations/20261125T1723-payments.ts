/** The events of payment providers, each once, and the accounts of their customers. */
export const statements: readonly string[] = [
  `create table billing_events (
    adapter text not null,
    event_id text not null,
    account_id uuid,
    at timestamptz(3) not null,
    primary key (adapter, event_id)
  )`,
  `create table billing_customers (
    adapter text not null,
    customer_id text not null,
    account_id uuid not null references accounts on delete cascade,
    created_at timestamptz(3) not null,
    primary key (adapter, customer_id)
  )`,
]
