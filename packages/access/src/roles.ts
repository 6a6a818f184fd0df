import { type Capability, capabilities } from '@svc/facts'

export const accountRoles = ['owner', 'admin', 'member'] as const
export type AccountRole = (typeof accountRoles)[number]

export const projectRoles = ['manager', 'editor', 'member', 'viewer'] as const
export type ProjectRole = (typeof projectRoles)[number]

const reads = capabilities.filter((name) => name.endsWith('.read') && name !== 'project.secret.read')

const memberAdds: readonly Capability[] = [
  'project.session.start',
  'project.session.stop',
  'project.session.bindings.write',
  'project.trigger.fire',
  'project.file.write',
  'project.gitops.push',
  'project.secret.read',
  'project.review.submit',
]

const editorAdds: readonly Capability[] = [
  'project.write',
  'project.trigger.create',
  'project.trigger.update',
  'project.trigger.delete',
  'project.agent.write',
  'project.skill.write',
  'project.command.write',
  'project.customize.write',
  'project.gitops.merge',
  'project.gitops.ref.delete',
  'project.secret.write',
  'project.connector.connections.manage',
  'project.connector.write',
  'project.app.write',
  'project.app.deploy',
  'project.review.act',
]

const held: Readonly<Record<ProjectRole, ReadonlySet<Capability>>> = {
  viewer: new Set(reads),
  member: new Set([...reads, ...memberAdds]),
  editor: new Set([...reads, ...memberAdds, ...editorAdds]),
  manager: new Set(capabilities),
}

const rank: Readonly<Record<AccountRole, number>> = { owner: 2, admin: 1, member: 0 }

/** True when `role` is `wanted` or above it. */
export function accountRoleReaches(role: AccountRole, wanted: AccountRole): boolean {
  return rank[role] >= rank[wanted]
}

export function roleHolds(role: ProjectRole, capability: Capability): boolean {
  return held[role].has(capability)
}

/** Everything that a built-in role holds, in the document's order. */
export function roleCapabilities(role: ProjectRole): Capability[] {
  return capabilities.filter((name) => held[role].has(name))
}

/** Owner and admin are manager of every project of their account. */
export function effectiveProjectRole(
  account_role: AccountRole,
  project_role: ProjectRole | null,
): ProjectRole | null {
  return account_role === 'owner' || account_role === 'admin' ? 'manager' : project_role
}
