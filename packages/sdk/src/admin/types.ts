import type {
  jobFailures,
  operatedSandboxes,
  operatedSessions,
  overview,
  owedWork,
  platformAdmins,
  platformAudit,
  platformChecks,
  platformMaintenance,
  platformProcesses,
} from '@svc/contract'
import type { z } from 'zod'
import type { AnswerOf, BodyOf, QueryOf } from '../http/route.ts'

export type PlatformAdmin = z.output<typeof platformAdmins.PlatformAdmin>
export type PlatformAuditEvent = AnswerOf<typeof platformAudit.listPlatformAudit>['events'][number]
export type ListPlatformAuditQuery = QueryOf<typeof platformAudit.listPlatformAudit>

export type Overview = AnswerOf<typeof overview.getOverview>
export type PlatformProcess = z.output<typeof platformProcesses.Process>
export type Machine = z.output<typeof platformProcesses.Machine>

export type OwedWork = AnswerOf<typeof owedWork.listOwedWork>['work'][number]
export type ListOwedWorkQuery = QueryOf<typeof owedWork.listOwedWork>

export type JobFailure = AnswerOf<typeof jobFailures.listFailures>['failures'][number]
export type ListFailuresQuery = QueryOf<typeof jobFailures.listFailures>

export type OperatedSandbox = AnswerOf<typeof operatedSandboxes.listSandboxes>['sandboxes'][number]
export type ListSandboxesQuery = QueryOf<typeof operatedSandboxes.listSandboxes>

export type OperatedSession = AnswerOf<typeof operatedSessions.listAllSessions>['sessions'][number]
export type ListAllSessionsQuery = QueryOf<typeof operatedSessions.listAllSessions>
/** Work of a session that a worker can be asked for. */
export type SessionWork = BodyOf<typeof operatedSessions.rerunSession>['work']
export type CheckRun = AnswerOf<typeof platformChecks.getChecks>
export type CheckFinding = CheckRun['findings'][number]
export type StartChecks = BodyOf<typeof platformChecks.startChecks>
export type PlatformMaintenance = AnswerOf<typeof platformMaintenance.getMaintenance>
export type SetMaintenance = BodyOf<typeof platformMaintenance.setMaintenance>
