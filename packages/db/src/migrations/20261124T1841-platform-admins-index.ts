export const in_transaction = false

/** Those few people, among all that there are. */
export const statements: readonly string[] = [
  `create index concurrently if not exists users_platform_admin on users (user_id) where platform_admin`,
]
