export const in_transaction = false

/** Whether a release names an object as its brotli form. */
export const statements: readonly string[] = [
  `create index concurrently if not exists app_release_files_br_sha256 on app_release_files (br_sha256)
    where br_sha256 is not null`,
]
