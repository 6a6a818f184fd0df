/** An index for each sweep that read what ever happened: of what is live, and of nothing else. */
export const in_transaction = false
export const statements: readonly string[] = [
  `create index concurrently if not exists session_prompts_undelivered on session_prompts (updated_at)
    where state in ('pending', 'delivered')`,
  `create index concurrently if not exists session_sandboxes_owed on session_sandboxes (updated_at)
    where owed is not null`,
  `create index concurrently if not exists session_sandboxes_active on session_sandboxes (last_active_at)
    where status = 'active'`,
  `create index concurrently if not exists session_sandboxes_checked on session_sandboxes (checked_at nulls first)
    where status = 'active'`,
  `create index concurrently if not exists session_sandboxes_unreachable on session_sandboxes (unreachable_since)
    where unreachable_since is not null`,
]
