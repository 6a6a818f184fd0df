/** The nouns of the operator's surface, which the public reference leaves out: a new one is a file and a line. */
export * as platformAdmins from './admin/admins.ts'
export * as platformAudit from './admin/audit.ts'
export * as platformMaintenance from './admin/maintenance.ts'
export * as operatedSandboxes from './admin/sandboxes.ts'
export * as operatedSessions from './admin/sessions.ts'
export * as overview from './admin/overview.ts'
export * as owedWork from './admin/work.ts'
export * as platformProcesses from './admin/processes.ts'
