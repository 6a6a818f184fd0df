import type * as contract from '@svc/contract'
import { createHttp } from '../http/transport.ts'
import { type Listing, listing } from '../listing.ts'
import type { ClientOptions, RequestOptions } from '../options.ts'
import { platformGateway, type PlatformGateway } from './gateway.ts'
import { platformHarnesses, type PlatformHarnesses } from './harnesses.ts'
import { adminMoney, type AdminMoney } from './money.ts'
import type {
  Backup,
  CheckRun,
  DrainMachine,
  JobFailure,
  ListAllAccountsQuery,
  ListAllSessionsQuery,
  ListBackupsQuery,
  ListFailuresQuery,
  ListOwedWorkQuery,
  ListPlatformAuditQuery,
  ListSandboxesQuery,
  Machine,
  OperatedAccount,
  OperatedSandbox,
  OperatedSession,
  Overview,
  OwedWork,
  PlatformAdmin,
  PlatformAuditEvent,
  PlatformFeature,
  PlatformMaintenance,
  PlatformProcess,
  SessionWork,
  SetAccountFeatures,
  SetMaintenance,
  StartChecks,
  SetPlatformFeatures,
  UpdateOperatedAccount,
} from './types.ts'

/** The operator's surface, for platform admins; every other caller is refused with 403 `forbidden`. */
export interface AdminClient extends AdminMoney {
  /** The state of the whole platform. */
  overview(options?: RequestOptions): Promise<Overview>
  /** Rows that owe work, the longest first. */
  work(query?: ListOwedWorkQuery, options?: RequestOptions): Listing<OwedWork>
  /** Asks for a worker now; 409 `WORK_NOT_OWED` when no row owes it any more. */
  runWork(work_id: string, options?: RequestOptions): Promise<{ work_id: string }>
  /** Jobs that failed, the newest first. */
  failures(query?: ListFailuresQuery, options?: RequestOptions): Listing<JobFailure>
  /** Asks for the job again. */
  retryFailure(failure_id: string, options?: RequestOptions): Promise<{ failure_id: string }>
  processes(options?: RequestOptions): Promise<readonly PlatformProcess[]>
  /** Finishes what it has, and takes nothing new. */
  drainProcess(process_id: string, options?: RequestOptions): Promise<PlatformProcess>
  resumeProcess(process_id: string, options?: RequestOptions): Promise<PlatformProcess>
  machines(options?: RequestOptions): Promise<readonly Machine[]>
  /** Saves and stops idle sandboxes at once, busy ones after their turn or at the deadline; it takes no new session. */
  drainMachine(machine: string, drain?: DrainMachine, options?: RequestOptions): Promise<Machine>
  resumeMachine(machine: string, options?: RequestOptions): Promise<Machine>
  /** The last used first. */
  sandboxes(query?: ListSandboxesQuery, options?: RequestOptions): Listing<OperatedSandbox>
  /** Saves its work and stops it; its files are kept. */
  stopSandbox(session_id: string, options?: RequestOptions): Promise<{ session_id: string }>
  /** Sessions of every account, the newest first. */
  sessions(query?: ListAllSessionsQuery, options?: RequestOptions): Listing<OperatedSession>
  /** Asks a worker for work of a session; 409 `WORK_NOT_OWED` when its row does not ask for it. */
  rerunSession(
    session_id: string,
    work: SessionWork,
    options?: RequestOptions,
  ): Promise<{ session_id: string; work: SessionWork }>
  maintenance(options?: RequestOptions): Promise<PlatformMaintenance>
  /** Closes the platform, or opens it again; replaces the whole of what was set before. */
  setMaintenance(maintenance: SetMaintenance, options?: RequestOptions): Promise<PlatformMaintenance>
  /** Has workers compare rows with what is there; `checks` tells what they found. */
  startChecks(wanted?: StartChecks, options?: RequestOptions): Promise<Pick<CheckRun, 'run_id' | 'state'>>
  checks(run_id: string, options?: RequestOptions): Promise<CheckRun>
  /** Backups, the newest first. */
  backups(query?: ListBackupsQuery, options?: RequestOptions): Listing<Backup>
  /** Asks for one now; 409 `BACKUP_NOT_CONFIGURED` without a place, `BACKUP_RUNNING` while another is taken. */
  startBackup(options?: RequestOptions): Promise<{ backup_id: string }>
  admins(options?: RequestOptions): Promise<readonly PlatformAdmin[]>
  /** By an address that its person has proved. */
  addAdmin(email: string, options?: RequestOptions): Promise<PlatformAdmin>
  setAdmin(user_id: string, options?: RequestOptions): Promise<PlatformAdmin>
  /** 409 `LAST_PLATFORM_ADMIN` for the last one. */
  removeAdmin(user_id: string, options?: RequestOptions): Promise<void>
  /** Every account, by name. */
  accounts(query?: ListAllAccountsQuery, options?: RequestOptions): Listing<OperatedAccount>
  account(account_id: string, options?: RequestOptions): Promise<OperatedAccount>
  /** Changes its plan or its limits, suspends or resumes it; what is left out stays. 409 for an account of your own. */
  updateAccount(
    account_id: string,
    changes: UpdateOperatedAccount,
    options?: RequestOptions,
  ): Promise<OperatedAccount>
  /** For its projects without a decision of their own; null leaves a feature to the platform again. */
  setAccountFeatures(
    account_id: string,
    features: SetAccountFeatures,
    options?: RequestOptions,
  ): Promise<OperatedAccount>
  features(options?: RequestOptions): Promise<readonly PlatformFeature[]>
  /** Closes features for every project or opens them again, and changes their defaults. */
  setFeatures(features: SetPlatformFeatures, options?: RequestOptions): Promise<readonly PlatformFeature[]>
  /** The operator's model providers, prices and lists. */
  readonly gateway: PlatformGateway
  readonly harnesses: PlatformHarnesses
  /** Changes by platform admins, newest first. */
  audit(query?: ListPlatformAuditQuery, options?: RequestOptions): Listing<PlatformAuditEvent>
}

/** A client holds no connection and needs no closing. Throws TypeError on a malformed `api_url` or `token`. */
export function createAdminClient(client_options: ClientOptions): AdminClient {
  const http = createHttp(client_options)
  return {
    gateway: platformGateway(http),
    harnesses: platformHarnesses(http),
    ...adminMoney(http),
    overview: (options = {}) =>
      http.call<typeof contract.overview.getOverview>('GET /v1/admin/overview', options),
    work: (query = {}, options = {}) =>
      listing(async (cursor) => {
        const input = { ...options, query: { ...query, cursor } }
        const page = await http.call<typeof contract.owedWork.listOwedWork>('GET /v1/admin/work', input)
        return { items: page.work, next_cursor: page.next_cursor }
      }, query.cursor),
    runWork: (work_id, options = {}) =>
      http.call<typeof contract.owedWork.runWork>('POST /v1/admin/work/{work_id}/run', {
        ...options,
        params: { work_id },
      }),
    failures: (query = {}, options = {}) =>
      listing(async (cursor) => {
        const input = { ...options, query: { ...query, cursor } }
        const page = await http.call<typeof contract.jobFailures.listFailures>(
          'GET /v1/admin/failures',
          input,
        )
        return { items: page.failures, next_cursor: page.next_cursor }
      }, query.cursor),
    retryFailure: (failure_id, options = {}) =>
      http.call<typeof contract.jobFailures.retryFailure>('POST /v1/admin/failures/{failure_id}/retry', {
        ...options,
        params: { failure_id },
      }),
    processes: async (options = {}) =>
      (await http.call<typeof contract.platformProcesses.listProcesses>('GET /v1/admin/processes', options))
        .processes,
    drainProcess: (process_id, options = {}) =>
      http.call<typeof contract.platformProcesses.drainProcess>(
        'POST /v1/admin/processes/{process_id}/drain',
        {
          ...options,
          params: { process_id },
        },
      ),
    resumeProcess: (process_id, options = {}) =>
      http.call<typeof contract.platformProcesses.resumeProcess>(
        'DELETE /v1/admin/processes/{process_id}/drain',
        {
          ...options,
          params: { process_id },
        },
      ),
    machines: async (options = {}) =>
      (await http.call<typeof contract.platformProcesses.listMachines>('GET /v1/admin/machines', options))
        .machines,
    drainMachine: (machine, drain = {}, options = {}) =>
      http.call<typeof contract.platformProcesses.drainMachine>('POST /v1/admin/machines/{machine}/drain', {
        ...options,
        params: { machine },
        body: drain,
      }),
    resumeMachine: (machine, options = {}) =>
      http.call<typeof contract.platformProcesses.resumeMachine>(
        'DELETE /v1/admin/machines/{machine}/drain',
        {
          ...options,
          params: { machine },
        },
      ),
    sandboxes: (query = {}, options = {}) =>
      listing(async (cursor) => {
        const input = { ...options, query: { ...query, cursor } }
        const page = await http.call<typeof contract.operatedSandboxes.listSandboxes>(
          'GET /v1/admin/sandboxes',
          input,
        )
        return { items: page.sandboxes, next_cursor: page.next_cursor }
      }, query.cursor),
    stopSandbox: (session_id, options = {}) =>
      http.call<typeof contract.operatedSandboxes.stopSandbox>('POST /v1/admin/sandboxes/{session_id}/stop', {
        ...options,
        params: { session_id },
      }),
    sessions: (query = {}, options = {}) =>
      listing(async (cursor) => {
        const input = { ...options, query: { ...query, cursor } }
        const page = await http.call<typeof contract.operatedSessions.listAllSessions>(
          'GET /v1/admin/sessions',
          input,
        )
        return { items: page.sessions, next_cursor: page.next_cursor }
      }, query.cursor),
    rerunSession: (session_id, work, options = {}) =>
      http.call<typeof contract.operatedSessions.rerunSession>('POST /v1/admin/sessions/{session_id}/rerun', {
        ...options,
        params: { session_id },
        body: { work },
      }),
    maintenance: (options = {}) =>
      http.call<typeof contract.platformMaintenance.getMaintenance>('GET /v1/admin/maintenance', options),
    setMaintenance: (maintenance, options = {}) =>
      http.call<typeof contract.platformMaintenance.setMaintenance>('PUT /v1/admin/maintenance', {
        ...options,
        body: maintenance,
      }),
    startChecks: (wanted = {}, options = {}) =>
      http.call<typeof contract.platformChecks.startChecks>('POST /v1/admin/checks', {
        ...options,
        body: wanted,
      }),
    checks: (run_id, options = {}) =>
      http.call<typeof contract.platformChecks.getChecks>('GET /v1/admin/checks/{run_id}', {
        ...options,
        params: { run_id },
      }),
    backups: (query = {}, options = {}) =>
      listing(async (cursor) => {
        const input = { ...options, query: { ...query, cursor } }
        const route = 'GET /v1/admin/backups'
        const page = await http.call<typeof contract.platformBackups.listBackups>(route, input)
        return { items: page.backups, next_cursor: page.next_cursor }
      }, query.cursor),
    startBackup: (options = {}) =>
      http.call<typeof contract.platformBackups.startBackup>('POST /v1/admin/backups', options),
    admins: async (options = {}) =>
      (await http.call<typeof contract.platformAdmins.listPlatformAdmins>('GET /v1/admin/admins', options))
        .admins,
    addAdmin: (email, options = {}) =>
      http.call<typeof contract.platformAdmins.addPlatformAdmin>('POST /v1/admin/admins', {
        ...options,
        body: { email },
      }),
    setAdmin: (user_id, options = {}) =>
      http.call<typeof contract.platformAdmins.setPlatformAdmin>('PUT /v1/admin/admins/{user_id}', {
        ...options,
        params: { user_id },
      }),
    removeAdmin: (user_id, options = {}) =>
      http.call<typeof contract.platformAdmins.removePlatformAdmin>('DELETE /v1/admin/admins/{user_id}', {
        ...options,
        params: { user_id },
      }),
    accounts: (query = {}, options = {}) =>
      listing(async (cursor) => {
        const input = { ...options, query: { ...query, cursor } }
        const route = 'GET /v1/admin/accounts'
        const page = await http.call<typeof contract.operatedAccounts.listAllAccounts>(route, input)
        return { items: page.accounts, next_cursor: page.next_cursor }
      }, query.cursor),
    account: (account_id, options = {}) =>
      http.call<typeof contract.operatedAccounts.getOperatedAccount>('GET /v1/admin/accounts/{account_id}', {
        ...options,
        params: { account_id },
      }),
    updateAccount: (account_id, changes, options = {}) =>
      http.call<typeof contract.operatedAccounts.updateOperatedAccount>(
        'PATCH /v1/admin/accounts/{account_id}',
        { ...options, params: { account_id }, body: changes },
      ),
    setAccountFeatures: (account_id, features, options = {}) =>
      http.call<typeof contract.operatedAccounts.setAccountFeatures>(
        'PATCH /v1/admin/accounts/{account_id}/features',
        { ...options, params: { account_id }, body: features },
      ),
    features: async (options = {}) => {
      const route = 'GET /v1/admin/features'
      return (await http.call<typeof contract.platformFeatures.listPlatformFeatures>(route, options)).features
    },
    setFeatures: async (features, options = {}) => {
      const input = { ...options, body: features }
      const route = 'PATCH /v1/admin/features'
      return (await http.call<typeof contract.platformFeatures.setPlatformFeatures>(route, input)).features
    },
    audit: (query = {}, options = {}) =>
      listing(async (cursor) => {
        const input = { ...options, query: { ...query, cursor } }
        const page = await http.call<typeof contract.platformAudit.listPlatformAudit>(
          'GET /v1/admin/audit',
          input,
        )
        return { items: page.events, next_cursor: page.next_cursor }
      }, query.cursor),
  }
}
