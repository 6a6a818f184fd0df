/** Every capability of the platform, in the document's order. */
export const capabilities = [
  'project.read',
  'project.write',
  'project.delete',
  'project.session.read',
  'project.session.start',
  'project.session.stop',
  'project.session.bindings.write',
  'project.members.read',
  'project.members.manage',
  'project.trigger.read',
  'project.trigger.create',
  'project.trigger.update',
  'project.trigger.delete',
  'project.trigger.fire',
  'project.gateway.logs.read',
  'project.gateway.spend.read',
  'project.gateway.budget.set',
  'project.gateway.keys.manage',
  'project.agent.read',
  'project.agent.write',
  'project.skill.read',
  'project.skill.write',
  'project.command.read',
  'project.command.write',
  'project.file.read',
  'project.file.write',
  'project.customize.read',
  'project.customize.write',
  'project.gitops.read',
  'project.gitops.push',
  'project.gitops.merge',
  'project.gitops.ref.any',
  'project.gitops.ref.delete',
  'project.secret.read',
  'project.secret.write',
  'project.connector.read',
  'project.connector.connections.manage',
  'project.connector.write',
  'project.app.read',
  'project.app.write',
  'project.app.deploy',
  'project.review.read',
  'project.review.submit',
  'project.review.act',
  'project.credentials.issue',
  'project.cr.open',
  'project.cr.merge',
] as const

export type Capability = (typeof capabilities)[number]

/** What an agent without `svc_cli` may do. */
export const defaultAgentGrant: readonly Capability[] = [
  'project.read',
  'project.session.read',
  'project.file.read',
  'project.gitops.read',
  'project.gitops.push',
]

/** Never held by an agent or a project token, whatever grant or role stands behind it. */
export const humanOnly: ReadonlySet<Capability> = new Set<Capability>([
  'project.members.manage',
  'project.delete',
  'project.credentials.issue',
])

const synonyms: Readonly<Partial<Record<Capability, Capability>>> = {
  'project.cr.open': 'project.gitops.push',
  'project.cr.merge': 'project.gitops.merge',
}

/** `project.cr.*` are read as their `project.gitops.*` synonyms. */
export function canonical(capability: Capability): Capability {
  return synonyms[capability] ?? capability
}
