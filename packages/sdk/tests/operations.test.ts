import { operations } from '@svc/contract'
import { expect, test } from 'vitest'
import { type Client, createClient } from '../src/index.ts'
import { appCalls } from './app-calls.ts'
import { channelCalls } from './channel-calls.ts'
import { connectorCalls } from './connector-calls.ts'
import { eventCalls } from './event-calls.ts'
import { harnessCalls } from './harness-calls.ts'

const role = { name: 'r', base_role: 'viewer', capabilities: [] } as const
const provider = { slug: 's', kind: 'openai', base_url: 'https://x.example' } as const

/** A call of each operation of the contract; every argument of a path is its own name. */
const calls: Readonly<Record<string, (client: Client) => unknown>> = {
  getHealth: (c) => c.health(),
  getMe: (c) => c.me(),
  updateMe: (c) => c.updateMe({ name: 'name' }),
  getUserinfo: (c) => c.userinfo(),

  signUp: ({ auth }) => auth.signUp({ email: 'a@b.c', password: 'p' }),
  signInWithPassword: ({ auth }) => auth.signInWithPassword({ email: 'a@b.c', password: 'p' }),
  askForMagicLink: ({ auth }) => auth.askForMagicLink('a@b.c'),
  verifyOtp: ({ auth }) => auth.verifyOtp({ type: 'signup', email: 'a@b.c', token: '1' }),
  refreshSignIn: ({ auth }) => auth.refresh('t'),
  resetPassword: ({ auth }) => auth.resetPassword({ email: 'a@b.c' }),
  signOut: ({ auth }) => auth.signOut('global'),
  getAuthUser: ({ auth }) => auth.user(),
  changePassword: ({ auth }) => auth.changePassword({ password: 'p' }),
  listSsoProviders: ({ auth }) => auth.ssoProviders(),
  openBrowserSession: ({ auth }) => auth.browsers.open({ keep: true }),
  listBrowserSessions: ({ auth }) => auth.browsers.list(),
  endBrowserSession: ({ auth }) => auth.browsers.end('browser_session_id'),
  endOwnBrowserSession: ({ auth }) => auth.browsers.endOwn(),
  enrolTotp: ({ auth }) => auth.totp.enrol(),
  confirmTotp: ({ auth }) => auth.totp.confirm('1'),
  disableTotp: ({ auth }) => auth.totp.disable('1'),

  listOAuthApps: ({ apps }) => apps.list(),
  revokeOAuthApp: ({ apps }) => apps.revoke('client_id'),

  followChanges: (c) =>
    c
      .changes()
      .next()
      // The answer of this test is no stream.
      .catch(() => null),
  ...eventCalls,
  getInbox: ({ inbox }) => inbox.list(),
  countInbox: ({ inbox }) => inbox.count(),
  markInboxItem: ({ inbox }) => inbox.mark('item_id', { version: '1', state: 'done' }),
  actOnInbox: ({ inbox }) => inbox.act([{ item_id: 'a:b', version: '1', verdict: 'dismiss' }]),

  listNotifications: ({ notifications }) => notifications.list(),
  readNotifications: ({ notifications }) => notifications.read({ all: true }),
  getNotificationSettings: ({ notifications }) => notifications.settings(),
  updateNotificationSettings: ({ notifications }) => notifications.updateSettings({ kinds: {} }),
  getProjectWatch: ({ notifications }) => notifications.watched('project_id'),
  watchProject: ({ notifications }) => notifications.watch('project_id', 'all'),
  announcePresence: ({ notifications }) => notifications.present('project_id', 'session_id'),
  getPushKey: ({ notifications }) => notifications.pushKey(),
  subscribeToPush: ({ notifications }) =>
    notifications.subscribe({ endpoint: 'https://x.example', keys: { p256dh: 'k', auth: 'a' } }),
  unsubscribeFromPush: ({ notifications }) => notifications.unsubscribe('https://x.example'),

  listTokens: ({ tokens }) => tokens.list(),
  createToken: ({ tokens }) => tokens.create({ name: 'n' }),
  revokeToken: ({ tokens }) => tokens.revoke('token_id'),

  updateAccount: ({ accounts }) => accounts.update('account_id', { default_model: null }),
  getKeyRules: ({ accounts }) => accounts.keyRules('account_id'),
  setBranding: ({ accounts }) => accounts.setBranding('account_id', { display_name: 'Acme', accent: null }),
  setKeyRules: ({ accounts }) =>
    accounts.setKeyRules('account_id', { expiry_required: true, max_days: null }),
  getSignInRules: ({ accounts }) => accounts.signInRules('account_id'),
  setSignInRules: ({ accounts }) => accounts.setSignInRules('account_id', { mfa_required: true }),
  listMembers: ({ accounts }) => accounts.members.list('account_id'),
  updateMember: ({ accounts }) => accounts.members.update('account_id', 'user_id', { role: 'admin' }),
  removeMember: ({ accounts }) => accounts.members.remove('account_id', 'user_id'),
  listInvitations: ({ accounts }) => accounts.invitations.list('account_id'),
  createInvitation: ({ accounts }) => accounts.invitations.create('account_id', { email: 'a@b.c' }),
  revokeInvitation: ({ accounts }) => accounts.invitations.revoke('account_id', 'invitation_id'),
  acceptInvitation: ({ accounts }) => accounts.invitations.accept('t'),
  listRoles: ({ accounts }) => accounts.roles.list('account_id'),
  createRole: ({ accounts }) => accounts.roles.create('account_id', { ...role, capabilities: [] }),
  updateRole: ({ accounts }) => accounts.roles.update('account_id', 'role_id', { ...role, capabilities: [] }),
  deleteRole: ({ accounts }) => accounts.roles.delete('account_id', 'role_id'),
  listAssignments: ({ accounts }) => accounts.roles.assignments('account_id'),
  listServiceAccounts: ({ accounts }) => accounts.serviceAccounts.list('account_id'),
  createServiceAccount: ({ accounts }) => accounts.serviceAccounts.create('account_id', { name: 'n' }),
  deleteServiceAccount: ({ accounts }) => accounts.serviceAccounts.delete('account_id', 'service_account_id'),
  listServiceAccountKeys: ({ accounts }) => accounts.serviceAccounts.keys('account_id', 'service_account_id'),
  createServiceAccountKey: ({ accounts }) =>
    accounts.serviceAccounts.createKey('account_id', 'service_account_id', { name: 'n' }),
  revokeServiceAccountKey: ({ accounts }) =>
    accounts.serviceAccounts.revokeKey('account_id', 'service_account_id', 'token_id'),
  listAccountGatewayBudgets: ({ accounts }) => accounts.gateway.budgets.list('account_id'),
  createAccountGatewayBudget: ({ accounts }) =>
    accounts.gateway.budgets.create('account_id', { level: 'account', period: 'day', cap_micros: 1 }),
  updateAccountGatewayBudget: ({ accounts }) =>
    accounts.gateway.budgets.update('account_id', 'budget_id', { cap_micros: 2 }),
  deleteAccountGatewayBudget: ({ accounts }) => accounts.gateway.budgets.delete('account_id', 'budget_id'),
  getAccountGatewaySpend: ({ accounts }) => accounts.gateway.spend.get('account_id'),
  getBilling: ({ accounts }) => accounts.billing.get('account_id'),
  listCreditLedger: ({ accounts }) => accounts.billing.ledger('account_id'),
  listGatewayBudgets: ({ projects }) => projects.gateway.budgets.list('project_id'),
  createGatewayBudget: ({ projects }) =>
    projects.gateway.budgets.create('project_id', { level: 'project', period: 'day', cap_micros: 1 }),
  updateGatewayBudget: ({ projects }) =>
    projects.gateway.budgets.update('project_id', 'budget_id', { cap_micros: 2 }),
  deleteGatewayBudget: ({ projects }) => projects.gateway.budgets.delete('project_id', 'budget_id'),
  listGatewayCalls: ({ projects }) => projects.gateway.logs.list('project_id'),
  getGatewayCall: ({ projects }) => projects.gateway.logs.get('project_id', 'call_id'),
  getGatewaySpend: ({ projects }) => projects.gateway.spend.get('project_id'),
  listScimTokens: ({ accounts }) => accounts.directory.tokens('account_id'),
  createScimToken: ({ accounts }) => accounts.directory.createToken('account_id', { name: 'n' }),
  revokeScimToken: ({ accounts }) => accounts.directory.revokeToken('account_id', 'token_id'),
  listGroups: ({ accounts }) => accounts.directory.groups('account_id'),
  setGroupRoles: ({ accounts }) => accounts.directory.setGroupRoles('account_id', 'group_id', {}),
  listDomains: ({ accounts }) => accounts.domains.list('account_id'),
  claimDomain: ({ accounts }) => accounts.domains.claim('account_id', 'acme.example'),
  verifyDomain: ({ accounts }) => accounts.domains.verify('account_id', 'domain'),
  deleteDomain: ({ accounts }) => accounts.domains.delete('account_id', 'domain'),
  getAccountSso: ({ accounts }) => accounts.sso.get('account_id'),
  setAccountSso: ({ accounts }) =>
    accounts.sso.set('account_id', { issuer: 'https://x', client_id: 'c', client_secret: 's' }),
  deleteAccountSso: ({ accounts }) => accounts.sso.delete('account_id'),
  listAudit: ({ accounts }) => accounts.audit.list('account_id'),
  exportAudit: ({ accounts }) => accounts.audit.export('account_id'),
  verifyAudit: ({ accounts }) => accounts.audit.verify('account_id'),

  listProjects: ({ projects }) => projects.list(),
  getProject: ({ projects }) => projects.get('project_id'),
  provisionProject: ({ projects }) => projects.provision({ name: 'n' }),
  connectProject: ({ projects }) => projects.connect({ name: 'n', repo_url: 'https://x' }),
  updateProject: ({ projects }) => projects.update('project_id', {}),
  archiveProject: ({ projects }) => projects.archive('project_id'),
  listProjectTokens: ({ projects }) => projects.tokens.list('project_id'),
  createProjectToken: ({ projects }) => projects.tokens.create('project_id'),
  revokeProjectToken: ({ projects }) => projects.tokens.revoke('project_id', 'token_id'),
  listGatewayKeys: ({ projects }) => projects.gatewayKeys.list('project_id'),
  createGatewayKey: ({ projects }) => projects.gatewayKeys.create('project_id', { name: 'n' }),
  updateGatewayKey: ({ projects }) => projects.gatewayKeys.update('project_id', 'token_id', { name: 'n' }),
  rotateGatewayKey: ({ projects }) => projects.gatewayKeys.rotate('project_id', 'token_id'),
  revokeGatewayKey: ({ projects }) => projects.gatewayKeys.revoke('project_id', 'token_id'),
  listProjectMembers: ({ projects }) => projects.members.list('project_id'),
  setProjectMember: ({ projects }) => projects.members.set('project_id', 'user_id', { role: 'editor' }),
  removeProjectMember: ({ projects }) => projects.members.remove('project_id', 'user_id'),
  getGateway: ({ projects }) => projects.gateway.get('project_id'),
  updateGateway: ({ projects }) => projects.gateway.update('project_id', {}),
  listGatewayModels: ({ projects }) => projects.gateway.models('project_id'),
  listGatewayProviders: ({ projects }) => projects.gateway.providers.list('project_id'),
  createGatewayProvider: ({ projects }) => projects.gateway.providers.create('project_id', provider),
  updateGatewayProvider: ({ projects }) => projects.gateway.providers.update('project_id', 'slug', {}),
  deleteGatewayProvider: ({ projects }) => projects.gateway.providers.delete('project_id', 'slug'),
  testGatewayProvider: ({ projects }) => projects.gateway.providers.test('project_id', 'slug'),
  addGatewayProviderKey: ({ projects }) =>
    projects.gateway.providers.addKey('project_id', 'slug', { name: 'n', api_key: 'k' }),
  removeGatewayProviderKey: ({ projects }) =>
    projects.gateway.providers.removeKey('project_id', 'slug', 'key_id'),
  listGatewayPrices: ({ projects }) => projects.gateway.prices.list('project_id'),
  setGatewayPrice: ({ projects }) =>
    projects.gateway.prices.set('project_id', { model: 'a/b', card: { input: 0, output: 0 } }),
  removeGatewayPrice: ({ projects }) => projects.gateway.prices.remove('project_id', 'a/b'),
  getAccountGatewaySettings: ({ accounts }) => accounts.gateway.settings('account_id'),
  updateAccountGatewaySettings: ({ accounts }) => accounts.gateway.update('account_id', {}),
  listAccountGatewayProviders: ({ accounts }) => accounts.gateway.providers.list('account_id'),
  createAccountGatewayProvider: ({ accounts }) => accounts.gateway.providers.create('account_id', provider),
  updateAccountGatewayProvider: ({ accounts }) => accounts.gateway.providers.update('account_id', 'slug', {}),
  deleteAccountGatewayProvider: ({ accounts }) => accounts.gateway.providers.delete('account_id', 'slug'),
  testAccountGatewayProvider: ({ accounts }) => accounts.gateway.providers.test('account_id', 'slug'),
  addAccountGatewayProviderKey: ({ accounts }) =>
    accounts.gateway.providers.addKey('account_id', 'slug', { name: 'n', api_key: 'k' }),
  removeAccountGatewayProviderKey: ({ accounts }) =>
    accounts.gateway.providers.removeKey('account_id', 'slug', 'key_id'),
  listAccountGatewayPrices: ({ accounts }) => accounts.gateway.prices.list('account_id'),
  setAccountGatewayPrice: ({ accounts }) =>
    accounts.gateway.prices.set('account_id', { model: 'a/b', card: { input: 0, output: 0 } }),
  removeAccountGatewayPrice: ({ accounts }) => accounts.gateway.prices.remove('account_id', 'a/b'),
  listFeatures: ({ projects }) => projects.features.list('project_id'),
  setFeatures: ({ projects }) => projects.features.set('project_id', {}),
  listSecrets: ({ projects }) => projects.secrets.list('project_id'),
  createSecret: ({ projects }) => projects.secrets.create('project_id', { name: 'n', value: 'v' }),
  putSecret: ({ projects }) => projects.secrets.set('project_id', 'name', 'v'),
  deleteSecret: ({ projects }) => projects.secrets.delete('project_id', 'name'),
  listPersonalSecrets: ({ projects }) => projects.secrets.personal.list('project_id'),
  putPersonalSecret: ({ projects }) => projects.secrets.personal.set('project_id', 'name', 'v'),
  deletePersonalSecret: ({ projects }) => projects.secrets.personal.delete('project_id', 'name'),
  listSecretAccesses: ({ projects }) => projects.secrets.accesses('project_id'),
  listFiles: ({ projects }) => projects.files.list('project_id'),
  readFile: ({ projects }) => projects.files.read('project_id', { path: 'p' }),
  compareBranches: ({ projects }) => projects.compare('project_id', { base: 'main', head: 'x' }),
  getManifest: ({ projects }) => projects.manifest.get('project_id'),
  getCommit: ({ projects }) => projects.commits.get('project_id', 'sha'),
  listCommits: ({ projects }) => projects.commits.list('project_id'),
  listBranches: ({ projects }) => projects.branches.list('project_id'),

  createSession: ({ projects }) => projects.sessions.create('project_id'),
  listSessions: ({ projects }) => projects.sessions.list('project_id'),
  getSession: ({ projects }) => projects.sessions.get('project_id', 'session_id'),
  updateSession: ({ projects }) => projects.sessions.update('project_id', 'session_id', {}),
  deleteSession: ({ projects }) => projects.sessions.delete('project_id', 'session_id'),
  stopSession: ({ projects }) => projects.sessions.stop('project_id', 'session_id'),
  startSession: ({ projects }) => projects.sessions.start('project_id', 'session_id'),
  restartSession: ({ projects }) => projects.sessions.restart('project_id', 'session_id'),
  refreshSession: ({ projects }) => projects.sessions.refresh('project_id', 'session_id'),
  abortSession: ({ projects }) => projects.sessions.abort('project_id', 'session_id'),
  createPreviewTicket: ({ projects }) =>
    projects.sessions.previewTicket('project_id', 'session_id', { port: 3000 }),
  promptSession: ({ projects }) => projects.sessions.prompt('project_id', 'session_id', { text: 't' }),
  listPrompts: ({ projects }) => projects.sessions.prompts.list('project_id', 'session_id'),
  cancelPrompt: ({ projects }) => projects.sessions.prompts.cancel('project_id', 'session_id', 'prompt_id'),
  answerAsk: ({ projects }) =>
    projects.sessions.asks.answer('project_id', 'session_id', 'request_id', { reject: true }),
  listSessionEvents: ({ projects }) => projects.sessions.events('project_id', 'session_id'),
  listSessionSummaries: ({ projects }) => projects.sessions.summaries('project_id'),
  getSessionDiff: ({ projects }) => projects.sessions.diff('project_id', 'session_id'),
  getSessionTranscript: ({ projects }) => projects.sessions.transcript('project_id', 'session_id'),

  listChangeRequests: ({ projects }) => projects.changeRequests.list('project_id'),
  createChangeRequest: ({ projects }) =>
    projects.changeRequests.create('project_id', { title: 't', head_ref: 'h' }),
  getChangeRequest: ({ projects }) => projects.changeRequests.get('project_id', 'cr_id'),
  updateChangeRequest: ({ projects }) => projects.changeRequests.update('project_id', 'cr_id', {}),
  getChangeRequestDiff: ({ projects }) => projects.changeRequests.diff('project_id', 'cr_id'),
  getMergePreview: ({ projects }) => projects.changeRequests.mergePreview('project_id', 'cr_id'),
  mergeChangeRequest: ({ projects }) => projects.changeRequests.merge('project_id', 'cr_id'),
  closeChangeRequest: ({ projects }) => projects.changeRequests.close('project_id', 'cr_id'),
  reopenChangeRequest: ({ projects }) => projects.changeRequests.reopen('project_id', 'cr_id'),
  getViewedFiles: ({ projects }) => projects.changeRequests.viewed('project_id', 'cr_id'),
  setViewedFile: ({ projects }) =>
    projects.changeRequests.setViewed('project_id', 'cr_id', {
      ...{ path: 'p', patch_hash: '0'.repeat(64), viewed: true },
    }),
  requestChanges: ({ projects }) =>
    projects.changeRequests.requestChanges('project_id', 'cr_id', { feedback: 'f' }),

  listReviewItems: ({ projects }) => projects.reviews.list('project_id'),
  submitReviewItem: ({ projects }) => projects.reviews.submit('project_id', { title: 't' }),
  getReviewItem: ({ projects }) => projects.reviews.get('project_id', 'review_id'),
  actOnReviewItem: ({ projects }) =>
    projects.reviews.act('project_id', 'review_id', { verdict: 'approve', version: 1 }),
  resubmitReviewItem: ({ projects }) => projects.reviews.resubmit('project_id', 'review_id'),
  withdrawReviewItem: ({ projects }) => projects.reviews.withdraw('project_id', 'review_id'),

  listTriggers: ({ projects }) => projects.triggers.list('project_id'),
  createTrigger: ({ projects }) => projects.triggers.create('project_id', { slug: 's', type: 'cron' }),
  getTrigger: ({ projects }) => projects.triggers.get('project_id', 'slug'),
  updateTrigger: ({ projects }) => projects.triggers.update('project_id', 'slug', {}),
  deleteTrigger: ({ projects }) => projects.triggers.delete('project_id', 'slug'),
  setTriggerActivation: ({ projects }) => projects.triggers.setPaused('project_id', true),
  fireTrigger: ({ projects }) => projects.triggers.fire('project_id', 'slug'),
  previewTrigger: ({ projects }) => projects.triggers.preview('project_id', 'slug'),
  listTriggerFires: ({ projects }) => projects.triggers.fires('project_id', 'slug'),
  replayTriggerFire: ({ projects }) => projects.triggers.replay('project_id', 'slug', 'fire_id'),
  listTriggerDeliveries: ({ projects }) => projects.triggers.deliveries('project_id', 'slug'),
  redeliverTrigger: ({ projects }) => projects.triggers.redeliver('project_id', 'slug', 'receipt_id'),
  ...connectorCalls,
  ...channelCalls,
  ...appCalls,
  ...harnessCalls,

  receiveWebhook: ({ webhooks }) => webhooks.deliver('project_id', 'slug', {}, 'secret'),
}

/** A browser is sent there and back by who signs people in. */
const navigated = new Set([
  'beginSso',
  'finishSso',
  'receiveConnectorAuthorization',
  'showUnsubscribe',
  'unsubscribeFromMail',
])
/** For the payment provider of the operator and for Slack alone, which have no client of ours. */
const received = new Set(['receivePayment', 'receiveChannelMessage'])

const called = operations.filter(({ name, access }) => {
  const forDaemons = access !== null && 'sandbox_key' in access
  return !forDaemons && !navigated.has(name) && !received.has(name)
})

test('there is a way to call every operation, and no way to one that is gone', () => {
  expect(Object.keys(calls).sort()).toEqual(called.map(({ name }) => name).sort())
})

test.each(called)('$name is $method $path', async ({ name, method, path }) => {
  const sent: string[] = []
  const client = createClient({
    api_url: 'https://svc.test/v1',
    token: 'svc_pat_x',
    fetch: (url, init) => {
      sent.push(`${init.method} ${new URL(url).pathname}`)
      return Promise.resolve(new Response('{}'))
    },
  })
  await calls[name]?.(client)
  expect(sent).toEqual([`${method} ${path.replaceAll(/[{}]/g, '')}`])
})
