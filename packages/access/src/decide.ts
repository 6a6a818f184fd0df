import { capabilities, type Capability } from '@svc/facts'
import { canonical, humanOnly } from './capabilities.ts'
import type { Principal, ProjectPrincipal, SessionPrincipal } from './principal.ts'
import { type ProjectRole, roleHolds } from './roles.ts'

export interface ProjectObject {
  readonly project_id: string
  /** The role that the principal's user has on this project; null when it may not see the project. */
  readonly role: ProjectRole | null
  /** The capabilities that a custom role adds to that role. */
  readonly extra?: readonly Capability[] | undefined
}

/** `hidden` answers 404, `refused` 403: an object that the caller may not see does not exist for it. */
export type Decision =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'hidden' }
  | { readonly kind: 'refused'; readonly reason: string }

const allowed: Decision = { kind: 'allowed' }

/** The one decision about a capability on a project. */
export function decide(principal: Principal, capability: Capability, project: ProjectObject): Decision {
  if (principal.type === 'sandbox')
    return refuse('A sandbox service key reaches only the sandbox routes; use a token of its session')
  if (principal.type === 'gateway')
    return refuse('A gateway key reaches only the model gateway; use a user token')
  if (principal.type === 'scim')
    return refuse('A directory token reaches only directory sync; use a user token')
  if (isBound(principal) && principal.project_id !== project.project_id) {
    return refuse('This token belongs to another project; use one of this project')
  }
  if (project.role === null) return { kind: 'hidden' }
  const wanted = canonical(capability)
  if (principal.type !== 'user' && humanOnly.has(wanted)) {
    return refuse(`This needs ${wanted}, which only people hold: use a personal token`)
  }
  if (!roleHolds(project.role, wanted) && !project.extra?.some((name) => canonical(name) === wanted))
    return refuse(
      `This needs ${wanted}, which the role ${project.role} does not hold: ask a manager of the project`,
    )
  if (principal.type === 'session' && !principal.grant.some((name) => canonical(name) === wanted)) {
    return refuse(
      `This needs ${wanted}, which the agent of this session is not granted: list it under svc_cli in svc.yaml, or ask a person`,
    )
  }
  return allowed
}

/** All that the principal may do on the project, in the document's order: nothing where it may not see it. */
export function heldCapabilities(principal: Principal, project: ProjectObject): Capability[] {
  return capabilities.filter((name) => decide(principal, name, project).kind === 'allowed')
}

/**
 * True for a principal that may move the default branch with git: people whose role allows it, and the push token of
 * provision.
 */
export function mayPushDefaultBranch(principal: Principal, project: ProjectObject): boolean {
  if (principal.type === 'user')
    return decide(principal, 'project.gitops.ref.any', project).kind === 'allowed'
  return (
    principal.type === 'project' && principal.project_id === project.project_id && principal.default_branch
  )
}

/** True when the credential belongs to one project and reaches no other. */
function isBound(principal: Principal): principal is ProjectPrincipal | SessionPrincipal {
  return principal.type === 'project' || principal.type === 'session'
}

export function refuse(reason: string): Decision {
  return { kind: 'refused', reason }
}
