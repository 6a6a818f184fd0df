import { createRoute, z } from '@hono/zod-openapi'
import { accountRoles, projectRoles } from '@svc/access'
import { reachedBy } from '../kit/access.ts'
import { body, json, ProjectParams, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { AccountId, InvitationId, ProjectId, UserId } from '../kit/parameters.ts'

const common = { tags: ['Members and service accounts'] }
const members = '/v1/accounts/{account_id}/members'
const invitations = '/v1/accounts/{account_id}/invitations'
const project = '/v1/projects/{project_id}/members'
const admins = reachedBy({ account_role: 'admin' })
const managers = reachedBy({ capability: 'project.members.manage' })

const AccountParams = z.object({ account_id: AccountId })
const MemberParams = AccountParams.extend({ user_id: UserId })
const ProjectMemberParams = z.object({ project_id: ProjectId, user_id: UserId })

export const Member = z
  .object({
    user_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    role: z.enum(accountRoles),
    created_at: Timestamp,
  })
  .openapi('Member')

export const Invitation = z
  .object({
    invitation_id: z.uuid(),
    account_id: z.uuid(),
    email: z.string(),
    role: z.enum(accountRoles),
    invited_by: z.uuid(),
    created_at: Timestamp,
    expires_at: Timestamp,
  })
  .openapi('Invitation')

export const ProjectMember = z
  .object({
    user_id: z.uuid(),
    type: z.enum(['user', 'service']),
    name: z.string(),
    email: z.string().nullable().openapi({ description: 'Null for a service account' }),
    role: z.enum(projectRoles),
    role_id: z.uuid().nullable().openapi({ description: 'The custom role, which adds to `role`' }),
    created_at: Timestamp,
  })
  .openapi('ProjectMember')

export const listMembers = createRoute({
  ...common,
  ...reachedBy({ account_role: 'member' }),
  operationId: 'listMembers',
  summary: 'List the people of an account',
  description: 'With the role of each. For every member of the account.',
  method: 'get',
  path: members,
  request: { params: AccountParams },
  responses: {
    200: json(z.object({ members: z.array(Member) }), 'Oldest first'),
    ...refusals(400, 403, 404),
  },
})

export const updateMember = createRoute({
  ...common,
  ...admins,
  operationId: 'updateMember',
  summary: 'Change the role of a person in the account',
  description: 'Owners are made and unmade by owners; the last one stays (409 `LAST_OWNER`).',
  method: 'patch',
  path: `${members}/{user_id}`,
  request: {
    params: MemberParams,
    body: body(
      z
        .strictObject({ role: z.enum(accountRoles) })
        .openapi('UpdateMember', { example: examples.updateMember }),
    ),
  },
  responses: { 200: json(Member, 'Changed'), ...refusals(400, 403, 404, 409, 415) },
})

export const removeMember = createRoute({
  ...common,
  ...reachedBy({ account_role: 'member' }),
  operationId: 'removeMember',
  summary: 'Remove a person from the account, or leave it',
  description:
    'Admins remove others, and each member may leave; the last owner stays (409 `LAST_OWNER`). The person’s roles and credentials on the account’s projects end at once.',
  method: 'delete',
  path: `${members}/{user_id}`,
  request: { params: MemberParams },
  responses: { 204: { description: 'Removed' }, ...refusals(400, 403, 404, 409) },
})

export const listInvitations = createRoute({
  ...common,
  ...admins,
  operationId: 'listInvitations',
  summary: 'List the invitations that can still be accepted',
  description: 'Never their tokens: those are shown when an invitation is made.',
  method: 'get',
  path: invitations,
  request: { params: AccountParams },
  responses: {
    200: json(z.object({ invitations: z.array(Invitation) }), 'Newest first'),
    ...refusals(400, 403, 404),
  },
})

export const createInvitation = createRoute({
  ...common,
  ...admins,
  operationId: 'createInvitation',
  summary: 'Invite a person to the account',
  description: 'The token is shown this once, holds for seven days, and is for the person with that address.',
  method: 'post',
  path: invitations,
  request: {
    params: AccountParams,
    body: body(
      z
        .strictObject({ email: z.email().max(254), role: z.enum(accountRoles).default('member') })
        .openapi('CreateInvitation', { example: examples.createInvitation }),
    ),
  },
  responses: {
    201: json(Invitation.extend({ token: z.string() }).openapi('CreatedInvitation'), 'The invitation'),
    ...refusals(400, 403, 404, 415),
  },
})

export const revokeInvitation = createRoute({
  ...common,
  ...admins,
  operationId: 'revokeInvitation',
  summary: 'Take an invitation back',
  description: 'Its token is of no use from then on.',
  method: 'delete',
  path: `${invitations}/{invitation_id}`,
  request: { params: AccountParams.extend({ invitation_id: InvitationId }) },
  responses: { 204: { description: 'Revoked' }, ...refusals(400, 403, 404) },
})

export const acceptInvitation = createRoute({
  ...common,
  ...reachedBy({ any_person: true }),
  operationId: 'acceptInvitation',
  summary: 'Join the account that you were invited to',
  description: 'For the person with the address that the invitation names. 409 when it was used or is over.',
  method: 'post',
  path: '/v1/accounts/invitations/accept',
  request: {
    body: body(
      z
        .strictObject({ token: text(255).min(1) })
        .openapi('AcceptInvitation', { example: examples.acceptInvitation }),
    ),
  },
  responses: {
    200: json(
      z
        .object({ account_id: z.uuid(), name: z.string(), role: z.enum(accountRoles) })
        .openapi('JoinedAccount'),
      'Joined',
    ),
    ...refusals(400, 403, 404, 409, 415),
  },
})

export const listProjectMembers = createRoute({
  ...common,
  ...reachedBy({ capability: 'project.members.read' }),
  operationId: 'listProjectMembers',
  summary: 'List who has a role on the project',
  description: 'Owners and admins of the account are managers of it without being listed.',
  method: 'get',
  path: project,
  request: { params: ProjectParams },
  responses: {
    200: json(z.object({ members: z.array(ProjectMember) }), 'Oldest first'),
    ...refusals(400, 403, 404),
  },
})

export const setProjectMember = createRoute({
  ...common,
  ...managers,
  operationId: 'setProjectMember',
  summary: 'Give a person or a service account of the account a role on the project',
  description:
    'Either a built-in `role`, or the `role_id` of a custom one (402 without the entitlement `rbac`).',
  method: 'put',
  path: `${project}/{user_id}`,
  request: {
    params: ProjectMemberParams,
    body: body(
      z
        .union(
          [z.strictObject({ role: z.enum(projectRoles) }), z.strictObject({ role_id: z.uuid() })],
          `must be { role }, one of ${projectRoles.join(', ')}, or { role_id } of a role of the account`,
        )
        .openapi('SetProjectMember', { example: examples.setProjectMember }),
    ),
  },
  responses: { 200: json(ProjectMember, 'The role'), ...refusals(400, 402, 403, 404, 415) },
})

export const removeProjectMember = createRoute({
  ...common,
  ...managers,
  operationId: 'removeProjectMember',
  summary: 'Take a role on the project away; the credentials of that person there end at once',
  description: 'What the account gives stays: its owners and admins are managers of every project.',
  method: 'delete',
  path: `${project}/{user_id}`,
  request: { params: ProjectMemberParams },
  responses: { 204: { description: 'Removed' }, ...refusals(400, 403, 404) },
})
