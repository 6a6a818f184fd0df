/** Models as a provider listed them when the gateway asked, whose key the gateway alone holds: the API shows these. */
export const statements: readonly string[] = [
  `create table gateway_provider_lists (
    provider_id uuid primary key,
    models jsonb not null check (jsonb_typeof(models) = 'array'),
    listed_at timestamptz(3) not null
  )`,
]
