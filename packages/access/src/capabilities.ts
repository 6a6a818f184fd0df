import type { Capability } from '@svc/facts'

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
