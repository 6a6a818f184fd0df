import { randomUUID } from 'node:crypto'
import * as contract from '@svc/contract'

export type Operation = contract.Operation

/** Every route that asks for a credential of ours, so that a new one is tried the day it is written. */
export const operations: readonly Operation[] = contract.operations.filter(
  ({ access }) => access === null || !('public' in access),
)

/** The path with its parameters filled in: the project's, and one value for every other. */
export function fill(path: string, project: string, other: string): string {
  return path
    .replace('{project_id}', project)
    .replaceAll('{name}', 'NAME')
    .replaceAll(/\{[a-z_]+\}/g, other)
}

const session = { session_id: randomUUID() }

/** Bodies that pass the contract, where `{}` does not. */
export const validBodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  createToken: { name: 'x' },
  changePassword: { password: 'a longer horse battery' },
  confirmTotp: { code: '123456' },
  disableTotp: { code: '123456' },
  setSignInRules: { mfa_required: false },
  signOut: { scope: 'global' },
  createGatewayKey: { name: 'x' },
  setKeyRules: { expiry_required: false, max_days: null },
  claimDomain: { domain: 'acme.example' },
  setAccountSso: { issuer: 'https://id.acme.example', client_id: 'x', client_secret: 'y' },
  createScimToken: { name: 'x' },
  setGroupRoles: { account_role: 'member', projects: [] },
  createServiceAccount: { name: 'x' },
  createServiceAccountKey: { name: 'x' },
  updateMember: { role: 'admin' },
  createInvitation: { email: 'ada@example.com' },
  acceptInvitation: { token: 'x' },
  setProjectMember: { role: 'editor' },
  createRole: { name: 'x', base_role: 'viewer', capabilities: [] },
  updateRole: { name: 'x', base_role: 'viewer', capabilities: [] },
  connectProject: { name: 'x', repo_url: 'file:///nowhere' },
  provisionProject: { name: 'x' },
  createSecret: { name: 'X', value: 'y' },
  putPersonalSecret: { value: 'y' },
  putSecret: { value: 'y' },
  promptSession: { text: 'hello' },
  answerAsk: { reject: true },
  createPreviewTicket: { port: 3000 },
  createChangeRequest: { title: 'x', head_ref: 'x' },
  requestChanges: { feedback: 'x' },
  createTrigger: { slug: 'x', type: 'cron' },
  setTriggerActivation: { paused: false },
  reportTurnStream: { ...session, kind: 'execution_lease_release' },
  reportTurnQuestion: { ...session, request_id: 'x', questions: [] },
  reportTurnPermission: { ...session, request_id: 'x', permission: 'bash', patterns: [] },
}
