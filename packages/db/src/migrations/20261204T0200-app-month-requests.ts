/** Answers of an app by month, which are kept longer than its minutes. */
export const statements: readonly string[] = [
  `alter table app_months add column requests bigint not null default 0, add column bytes_out bigint not null default 0`,
]
