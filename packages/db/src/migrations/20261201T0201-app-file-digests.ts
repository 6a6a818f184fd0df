export const in_transaction = false

/** Whether a release names an object as its file. */
export const statements: readonly string[] = [
  `create index concurrently if not exists app_release_files_sha256 on app_release_files (sha256)`,
]
