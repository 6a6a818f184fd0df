import { adminOperations } from '@svc/contract'
import { expect, test } from 'vitest'
import { type AdminClient, createAdminClient } from '../src/admin/index.ts'

const provider = { slug: 's', kind: 'openai', base_url: 'https://x.example' } as const

/** A call of each operation of the operator's surface; every argument of a path is its own name. */
const calls: Readonly<Record<string, (admin: AdminClient) => unknown>> = {
  getOverview: (admin) => admin.overview(),
  listOwedWork: (admin) => admin.work(),
  runWork: (admin) => admin.runWork('work_id'),
  listFailures: (admin) => admin.failures(),
  retryFailure: (admin) => admin.retryFailure('failure_id'),
  listProcesses: (admin) => admin.processes(),
  drainProcess: (admin) => admin.drainProcess('process_id'),
  resumeProcess: (admin) => admin.resumeProcess('process_id'),
  listMachines: (admin) => admin.machines(),
  listSandboxes: (admin) => admin.sandboxes(),
  stopSandbox: (admin) => admin.stopSandbox('session_id'),
  listAllSessions: (admin) => admin.sessions(),
  rerunSession: (admin) => admin.rerunSession('session_id', 'stop'),
  drainMachine: (admin) => admin.drainMachine('machine'),
  resumeMachine: (admin) => admin.resumeMachine('machine'),
  listAllAccounts: (admin) => admin.accounts(),
  getOperatedAccount: (admin) => admin.account('account_id'),
  updateOperatedAccount: (admin) => admin.updateAccount('account_id', { suspended: false }),
  setAccountFeatures: (admin) => admin.setAccountFeatures('account_id', { apps: null }),
  listPlans: (admin) => admin.plans(),
  putPlan: (admin) =>
    admin.putPlan('tier', {
      ...{ entitlements: [], session_cap: 1, gateway: 'off', billing: 'none' },
      ...{ monthly_credit_micros: 0, markup_percent: 0 },
    }),
  deletePlan: (admin) => admin.deletePlan('tier'),
  addCredit: (admin) => admin.addCredit('account_id', { amount_micros: 1, reason: 'r' }),
  getPlatformGatewaySpend: (admin) => admin.spend(),
  listPlatformFeatures: (admin) => admin.features(),
  setPlatformFeatures: (admin) => admin.setFeatures({ apps: { available: true } }),
  listPlatformAdmins: (admin) => admin.admins(),
  addPlatformAdmin: (admin) => admin.addAdmin('a@b.c'),
  setPlatformAdmin: (admin) => admin.setAdmin('user_id'),
  removePlatformAdmin: (admin) => admin.removeAdmin('user_id'),
  getMaintenance: (admin) => admin.maintenance(),
  listBackups: (admin) => admin.backups(),
  startBackup: (admin) => admin.startBackup(),
  startChecks: (admin) => admin.startChecks(),
  getChecks: (admin) => admin.checks('run_id'),
  setMaintenance: (admin) => admin.setMaintenance({ mode: 'off' }),
  listPlatformAudit: (admin) => admin.audit(),
  getPlatformGatewaySettings: (admin) => admin.gateway.settings(),
  updatePlatformGatewaySettings: (admin) => admin.gateway.update({}),
  listPlatformGatewayProviders: (admin) => admin.gateway.providers.list(),
  createPlatformGatewayProvider: (admin) => admin.gateway.providers.create(provider),
  updatePlatformGatewayProvider: (admin) => admin.gateway.providers.update('slug', {}),
  deletePlatformGatewayProvider: (admin) => admin.gateway.providers.delete('slug'),
  testPlatformGatewayProvider: (admin) => admin.gateway.providers.test('slug'),
  addPlatformGatewayProviderKey: (admin) =>
    admin.gateway.providers.addKey('slug', { name: 'n', api_key: 'k' }),
  removePlatformGatewayProviderKey: (admin) => admin.gateway.providers.removeKey('slug', 'key_id'),
  listPlatformGatewayPrices: (admin) => admin.gateway.prices.list(),
  setPlatformGatewayPrice: (admin) =>
    admin.gateway.prices.set({ model: 'a/b', card: { input: 0, output: 0 } }),
  removePlatformGatewayPrice: (admin) => admin.gateway.prices.remove('a/b'),
  getHarnessLicence: (admin) => admin.harnesses.licence('name'),
  acceptHarnessLicence: (admin) => admin.harnesses.accept('name', '0'.repeat(64)),
  revokeHarnessLicence: (admin) => admin.harnesses.revoke('name'),
  installHarness: (admin) => admin.harnesses.install('name'),
  removeHarness: (admin) => admin.harnesses.remove('name', 'version'),
}

test('there is a way to call every operation of the operator’s surface, and no way to one that is gone', () => {
  expect(Object.keys(calls).sort()).toEqual(adminOperations.map(({ name }) => name).sort())
})

test.each(adminOperations)('$name is $method $path', async ({ name, method, path }) => {
  const sent: string[] = []
  const admin = createAdminClient({
    api_url: 'https://svc.test/v1',
    token: 'svc_pat_x',
    fetch: (url, init) => {
      sent.push(`${init.method} ${new URL(url).pathname}`)
      return Promise.resolve(new Response('{}'))
    },
  })
  await calls[name]?.(admin)
  expect(sent).toEqual([`${method} ${path.replaceAll(/[{}]/g, '')}`])
})
