import { capabilities } from '@svc/facts'
import { describe, expect, test } from 'vitest'
import { decide, heldCapabilities, mayPushDefaultBranch } from './decide.ts'
import { agentCapabilities, holdsExplicitMerge } from './grant.ts'
import type { Principal } from './principal.ts'
import { effectiveProjectRole } from './roles.ts'

const user: Principal = { type: 'user', user_id: 'u', token_id: 't' }
const project: Principal = {
  type: 'project',
  user_id: 'u',
  token_id: 't',
  project_id: 'p',
  default_branch: false,
}
const session = (grant: Parameters<typeof agentCapabilities>[0]): Principal => ({
  type: 'session',
  user_id: 'u',
  token_id: 't',
  project_id: 'p',
  session_id: 's',
  tree_id: 's',
  grant: agentCapabilities(grant),
  merge_granted: holdsExplicitMerge(grant),
})

describe('what an agent holds', () => {
  test.each([
    ['none', undefined, ['project.gitops.read']],
    [['project.read'], undefined, ['project.read', 'project.gitops.read']],
    [['project.cr.open'], 'branch', ['project.gitops.read', 'project.gitops.push', 'project.cr.open']],
    [
      ['project.cr.open', 'project.gitops.ref.any', 'project.gitops.ref.delete'],
      'read',
      ['project.gitops.read'],
    ],
    [
      ['project.gitops.push', 'project.review.submit'],
      'runtime',
      ['project.gitops.read', 'project.review.submit'],
    ],
    [['project.gitops.merge'], 'read', ['project.gitops.read', 'project.gitops.merge', 'project.cr.merge']],
  ] as const)('svc_cli %j with workspace %s', (grant, workspace, held) => {
    expect(agentCapabilities(grant, workspace)).toEqual(held)
  })
})

describe('what a caller is shown that it may do', () => {
  test('is what it would be let do: by role, custom roles, and the kind of its token', () => {
    const viewer = heldCapabilities(user, { project_id: 'p', role: 'viewer' })
    expect(viewer).toContain('project.read')
    expect(viewer).not.toContain('project.session.start')
    const extra = ['project.gitops.merge'] as const
    const releaser = heldCapabilities(user, { project_id: 'p', role: 'viewer', extra })
    expect(releaser.filter((name) => !viewer.includes(name))).toEqual([
      'project.gitops.merge',
      'project.cr.merge',
    ])
    expect(heldCapabilities(user, { project_id: 'p', role: 'manager' })).toEqual([...capabilities])
    const machine = heldCapabilities(project, { project_id: 'p', role: 'manager' })
    expect(machine).toContain('project.gitops.merge')
    expect(machine).not.toContain('project.delete')
    expect(heldCapabilities(user, { project_id: 'p', role: null })).toEqual([])
  })
})

describe('decide', () => {
  test('a project that the user has no role on does not exist', () => {
    expect(decide(user, 'project.read', { project_id: 'p', role: null }).kind).toBe('hidden')
  })
  test('a token of another project is refused, whatever the role', () => {
    expect(decide(project, 'project.read', { project_id: 'q', role: 'manager' }).kind).toBe('refused')
  })
  test.each([
    ['viewer', 'project.gitops.push', 'refused'],
    ['member', 'project.gitops.push', 'allowed'],
    ['member', 'project.gitops.merge', 'refused'],
    ['editor', 'project.cr.merge', 'allowed'],
    ['editor', 'project.gitops.ref.any', 'refused'],
    ['manager', 'project.gitops.ref.any', 'allowed'],
  ] as const)('role %s, %s: %s', (role, capability, kind) => {
    expect(decide(user, capability, { project_id: 'p', role }).kind).toBe(kind)
  })
  test.each([
    [undefined, 'project.gitops.push', 'allowed'],
    [undefined, 'project.gitops.merge', 'refused'],
    ['none', 'project.read', 'refused'],
    ['all', 'project.gitops.merge', 'allowed'],
    ['all', 'project.delete', 'refused'],
    [['project.cr.open'], 'project.gitops.push', 'allowed'],
    [['*'], 'project.members.manage', 'refused'],
  ] as const)('agent grant %j, %s: %s', (grant, capability, kind) => {
    expect(decide(session(grant), capability, { project_id: 'p', role: 'manager' }).kind).toBe(kind)
  })
  test.each(['project.delete', 'project.members.manage', 'project.credentials.issue'] as const)(
    'a project token never holds %s, whatever the role',
    (capability) => {
      expect(decide(project, capability, { project_id: 'p', role: 'manager' }).kind).toBe('refused')
      expect(decide(user, capability, { project_id: 'p', role: 'manager' }).kind).toBe('allowed')
    },
  )
  test("a session never holds more than its user's role", () => {
    expect(decide(session('all'), 'project.gitops.merge', { project_id: 'p', role: 'member' }).kind).toBe(
      'refused',
    )
  })
  test.each(['sandbox', 'gateway'] as const)('a %s key reaches no project route', (type) => {
    const principal: Principal =
      type === 'sandbox'
        ? { type, project_id: 'p', session_id: 's', service_key_hash: new Uint8Array() }
        : { type, token_id: 't', project_id: 'p', session_id: null }
    expect(decide(principal, 'project.read', { project_id: 'p', role: 'manager' }).kind).toBe('refused')
  })
})

test('only a grant that names the merge lets a session merge its own change request', () => {
  expect(holdsExplicitMerge(['project.gitops.merge'])).toBe(true)
  expect(holdsExplicitMerge(['project.cr.merge'])).toBe(true)
  expect(holdsExplicitMerge('all')).toBe(false)
  expect(holdsExplicitMerge(['*'])).toBe(false)
  expect(holdsExplicitMerge(undefined)).toBe(false)
})

test('the default branch is for managers and the push token of provision', () => {
  expect(mayPushDefaultBranch(user, { project_id: 'p', role: 'manager' })).toBe(true)
  expect(mayPushDefaultBranch(user, { project_id: 'p', role: 'editor' })).toBe(false)
  expect(mayPushDefaultBranch(project, { project_id: 'p', role: 'manager' })).toBe(false)
  expect(
    mayPushDefaultBranch({ ...project, default_branch: true }, { project_id: 'p', role: 'manager' }),
  ).toBe(true)
  expect(mayPushDefaultBranch(session('all'), { project_id: 'p', role: 'manager' })).toBe(false)
})

test('owner and admin are manager everywhere', () => {
  expect(effectiveProjectRole('owner', null)).toBe('manager')
  expect(effectiveProjectRole('admin', 'viewer')).toBe('manager')
  expect(effectiveProjectRole('member', null)).toBe(null)
  expect(effectiveProjectRole('member', 'editor')).toBe('editor')
})
