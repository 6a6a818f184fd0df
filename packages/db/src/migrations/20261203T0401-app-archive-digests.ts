export const in_transaction = false

/** Whether a release names an object as the archive that it runs from. */
export const statements: readonly string[] = [
  `create index concurrently if not exists app_releases_archive on app_releases ((artifact ->> 'digest'))
    where artifact ->> 'kind' = 'archive'`,
]
