/** The nouns of the operator's surface, which the public reference leaves out: a new one is a file and a line. */
export * as platformAdmins from './admin/admins.ts'
export * as platformAudit from './admin/audit.ts'
export * as platformMaintenance from './admin/maintenance.ts'
