const model = `default_model text check (default_model ~ '^[^/[:space:]]+/[^[:space:]]+$')`

/** Default models of accounts and projects, and ledger rows that repeat another. */
export const statements: readonly string[] = [
  `alter table accounts add column ${model}`,
  `alter table projects add column ${model}`,
  `alter table trigger_fires add column replay_of uuid`,
  `update project_triggers set agent = agent || '{"model": null}' where agent is not null`,
  // The catalogues read so far lack the models of agents: they are read once more.
  `update trigger_catalogues set source = null, tip_sha = null, checked_at = null, check_at = now()`,
]
