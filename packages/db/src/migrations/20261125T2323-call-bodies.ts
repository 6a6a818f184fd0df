/** Bodies of model calls that are kept: the object is named after the call, and goes at the row's date. */
export const statements: readonly string[] = [
  `create table gateway_call_bodies (
    call_id uuid primary key,
    project_id uuid not null,
    kept_until timestamptz(3) not null
  )`,
  `create index gateway_call_bodies_until on gateway_call_bodies (kept_until)`,
]
