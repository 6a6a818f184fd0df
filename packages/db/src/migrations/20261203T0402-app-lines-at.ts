export const in_transaction = false

/** Lines of running apps that are kept no longer. */
export const statements: readonly string[] = [
  `create index concurrently if not exists app_log_lines_app_at on app_log_lines (at) where source = 'app'`,
]
