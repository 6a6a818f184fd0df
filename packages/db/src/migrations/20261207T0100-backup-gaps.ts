/** The managed repositories that a backup does not have, so that a person is told which backup to take one from. */
export const statements: readonly string[] = [`alter table backups add column missing uuid[]`]
