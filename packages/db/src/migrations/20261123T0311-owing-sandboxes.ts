/** The sweep of owed secrets looks at sandboxes that run: those that stopped owing stay out of its index. */
export const statements: readonly string[] = [
  `create index session_sandboxes_owing on session_sandboxes (session_id)
    where secrets_owed > 0 and status = 'active'`,
  `drop index session_sandboxes_secrets_owed`,
]
