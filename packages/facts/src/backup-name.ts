/** The name of a backup's folder: its time, and the beginning of its id. */
export const backupName = (backup_id: string, at: Date): string =>
  `svc-backup-${at.toISOString().replace(/[-:]|\.\d+/g, '')}-${backup_id.slice(0, 8)}`

export const backupNamePattern = /^svc-backup-\d{8}T\d{6}Z-[0-9a-f]{8}$/
