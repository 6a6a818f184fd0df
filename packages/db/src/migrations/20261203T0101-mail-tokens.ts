export const in_transaction = false

/** The thread of an answer by mail. */
export const statements: readonly string[] = [
  `create index concurrently if not exists channel_threads_mail_token on channel_threads (channel_id, mail_token_hash)
    where mail_token_hash is not null`,
]
