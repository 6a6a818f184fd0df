export const in_transaction = false

/** Whether a release names an object as its gzip form. */
export const statements: readonly string[] = [
  `create index concurrently if not exists app_release_files_gzip_sha256 on app_release_files (gzip_sha256)
    where gzip_sha256 is not null`,
]
