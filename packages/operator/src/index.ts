export { getOperatedAccount, listAllAccounts } from './accounts/accounts.ts'
export { setAccountFeatures } from './accounts/features.ts'
export { updateOperatedAccount } from './accounts/update.ts'
export {
  addPlatformAdmin,
  listPlatformAdmins,
  removePlatformAdmin,
  setPlatformAdmin,
} from './admins/admins.ts'
export { listPlatformFeatures, setPlatformFeatures } from './features/features.ts'
export { getMaintenance, setMaintenance } from './maintenance/maintenance.ts'
export { listPlatformAudit } from './audit/list.ts'
export { listBackups, startBackup } from './backups/backups.ts'
export { type CheckRequest, getChecks, startChecks } from './check-runs/ask.ts'
export { runCheckPart } from './check-runs/run-part.ts'
export { sweepCheckRuns } from './check-runs/sweep.ts'
export type { CheckContext } from './checks/check.ts'
export { checksOf } from './checks/list.ts'
export { runChecks } from './checks/run-checks.ts'
export { listFailures, retryFailure } from './failures/failures.ts'
export { installHarness, removeHarness } from './harnesses/installs.ts'
export { acceptHarnessLicence, getHarnessLicence, revokeHarnessLicence } from './harnesses/licences.ts'
export { getOverview } from './overview/get.ts'
export { drainMachine, resumeMachine } from './processes/drain-machine.ts'
export { drainProcess, resumeProcess } from './processes/drain.ts'
export { listMachines, listProcesses } from './processes/list.ts'
export { listSandboxes, stopSandboxOf } from './sandboxes/sandboxes.ts'
export { listAllSessions, rerunSession } from './sessions/sessions.ts'
export { listOwedWork, runWork } from './work/work.ts'
