import type * as contract from '@svc/contract'
import type { z } from 'zod'
import type { AnswerOf, BodyOf, QueryOf } from '../http/route.ts'

export type PlatformAdmin = z.output<typeof contract.platformAdmins.PlatformAdmin>
export type PlatformAuditEvent = AnswerOf<typeof contract.platformAudit.listPlatformAudit>['events'][number]
export type ListPlatformAuditQuery = QueryOf<typeof contract.platformAudit.listPlatformAudit>

export type Overview = AnswerOf<typeof contract.overview.getOverview>
export type PlatformProcess = z.output<typeof contract.platformProcesses.Process>
export type Machine = z.output<typeof contract.platformProcesses.Machine>

export type OwedWork = AnswerOf<typeof contract.owedWork.listOwedWork>['work'][number]
export type ListOwedWorkQuery = QueryOf<typeof contract.owedWork.listOwedWork>

export type JobFailure = AnswerOf<typeof contract.jobFailures.listFailures>['failures'][number]
export type ListFailuresQuery = QueryOf<typeof contract.jobFailures.listFailures>

export type OperatedSandbox = AnswerOf<typeof contract.operatedSandboxes.listSandboxes>['sandboxes'][number]
export type ListSandboxesQuery = QueryOf<typeof contract.operatedSandboxes.listSandboxes>

export type OperatedSession = AnswerOf<typeof contract.operatedSessions.listAllSessions>['sessions'][number]
export type ListAllSessionsQuery = QueryOf<typeof contract.operatedSessions.listAllSessions>
/** Work of a session that a worker can be asked for. */
export type SessionWork = BodyOf<typeof contract.operatedSessions.rerunSession>['work']
export type PlatformMaintenance = AnswerOf<typeof contract.platformMaintenance.getMaintenance>
export type SetMaintenance = BodyOf<typeof contract.platformMaintenance.setMaintenance>
export type DrainMachine = BodyOf<typeof contract.platformProcesses.drainMachine>

export type OperatedAccount = AnswerOf<typeof contract.operatedAccounts.getOperatedAccount>
export type ListAllAccountsQuery = QueryOf<typeof contract.operatedAccounts.listAllAccounts>
export type UpdateOperatedAccount = BodyOf<typeof contract.operatedAccounts.updateOperatedAccount>
export type SetAccountFeatures = BodyOf<typeof contract.operatedAccounts.setAccountFeatures>
export type PlatformFeature = AnswerOf<
  typeof contract.platformFeatures.listPlatformFeatures
>['features'][number]
export type SetPlatformFeatures = BodyOf<typeof contract.platformFeatures.setPlatformFeatures>

export type Plan = z.output<typeof contract.plans.Plan>
export type PutPlan = BodyOf<typeof contract.plans.putPlan>
export type AddCredit = BodyOf<typeof contract.plans.addCredit>
export type CreditEntry = AnswerOf<typeof contract.plans.addCredit>
export type PlatformSpend = AnswerOf<typeof contract.plans.getPlatformGatewaySpend>
export type PlatformSpendQuery = QueryOf<typeof contract.plans.getPlatformGatewaySpend>

export type Backup = AnswerOf<typeof contract.platformBackups.listBackups>['backups'][number]
export type ListBackupsQuery = QueryOf<typeof contract.platformBackups.listBackups>

export type CheckRun = AnswerOf<typeof contract.platformChecks.getChecks>
export type CheckFinding = CheckRun['findings'][number]
export type StartChecks = BodyOf<typeof contract.platformChecks.startChecks>

/** The texts of a harness, with the admin who accepted each. */
export type HarnessLicence = z.output<typeof contract.platformHarnesses.HarnessLicence>
export type HarnessInstalls = z.output<typeof contract.platformHarnesses.HarnessInstalls>
