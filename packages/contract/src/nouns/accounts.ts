import { createRoute, z } from '@hono/zod-openapi'
import { accountRoles } from '@svc/access'
import { reachedBy } from '../kit/access.ts'
import { body, DefaultModel, json, ProjectParams, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { AccountId, ProjectId, TokenId } from '../kit/parameters.ts'

const common = { tags: ['Accounts and tokens'] }

const GatewayNewProjects = z
  .boolean()
  .openapi({ description: 'Whether new projects have the model gateway from the start' })

const Name = text(100).refine((value) => value.trim().length > 0, 'must not be blank')

export const Branding = z
  .object({
    display_name: z
      .string()
      .nullable()
      .openapi({ description: 'Shown in place of the name of the platform' }),
    accent: z.string().nullable().openapi({ description: 'A colour, as `#rrggbb`' }),
  })
  .openapi('Branding')

export const Me = z
  .object({
    user_id: z.uuid(),
    email: z.string(),
    name: z.string(),
    account_id: z.uuid(),
    platform_admin: z.boolean().openapi({ description: 'True for a person who runs the platform' }),
    accounts: z.array(
      z.object({
        account_id: z.uuid(),
        name: z.string(),
        role: z.enum(accountRoles),
        tier: z.string(),
        default_model: DefaultModel,
        gateway_new_projects: GatewayNewProjects,
        branding: Branding.nullable().openapi({ description: 'Null for an account without its own' }),
      }),
    ),
  })
  .openapi('Me')

export const Account = z
  .object({
    account_id: z.uuid(),
    name: z.string(),
    tier: z.string(),
    default_model: DefaultModel,
    gateway_new_projects: GatewayNewProjects,
  })
  .openapi('Account')

export const Token = z
  .object({
    token_id: z.uuid(),
    name: z.string(),
    kind: z.enum(['user', 'project', 'gateway', 'service', 'scim']),
    prefix: z.string().openapi({ description: 'The first characters, to recognise it by' }),
    project_id: z.uuid().nullable(),
    expires_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .openapi('Token')

export const MintedToken = Token.extend({
  token: z.string().openapi({ description: 'The secret, shown this once' }),
}).openapi('MintedToken')

export const CreateToken = z
  .strictObject({ name: text(100).min(1), expires_at: Timestamp.optional() })
  .openapi('CreateToken', { example: examples.createToken })
const CreateProjectToken = z
  .strictObject({ name: text(100).min(1).optional(), expires_at: Timestamp.optional() })
  .openapi('CreateProjectToken', { example: examples.createProjectToken })

export const getMe = createRoute({
  ...common,
  operationId: 'getMe',
  ...reachedBy({ any_person: true }),
  summary: 'Who the token acts as',
  description:
    'The person, and every account that they belong to with their role in it. An app reaches it without the scope `svc` as well.',
  method: 'get',
  path: '/v1/accounts/me',
  responses: { 200: json(Me, 'The person and their accounts'), ...refusals(403) },
})

export const updateMe = createRoute({
  ...common,
  operationId: 'updateMe',
  ...reachedBy({ any_person: true }),
  summary: 'Change your name',
  description: 'As others see it. A directory that you are managed by may set it again.',
  method: 'patch',
  path: '/v1/accounts/me',
  request: {
    body: body(z.strictObject({ name: Name }).openapi('UpdateMe', { example: examples.updateMe })),
  },
  responses: { 200: json(Me, 'The person and their accounts'), ...refusals(400, 403, 415) },
})

export const updateAccount = createRoute({
  ...common,
  operationId: 'updateAccount',
  ...reachedBy({ account_role: 'admin' }),
  summary: 'Set the name of an account, and what its sessions and projects begin with',
  description: 'For its owners and admins.',
  method: 'patch',
  path: '/v1/accounts/{account_id}',
  request: {
    params: z.object({ account_id: AccountId }),
    body: body(
      z
        .strictObject({
          name: Name.optional(),
          default_model: DefaultModel.optional(),
          gateway_new_projects: GatewayNewProjects.optional(),
        })
        .openapi('UpdateAccount', { example: examples.updateAccount }),
    ),
  },
  responses: { 200: json(Account, 'The account'), ...refusals(400, 403, 404, 415) },
})

export const setBranding = createRoute({
  ...common,
  operationId: 'setBranding',
  ...reachedBy({ account_role: 'admin', entitlement: 'branding' }),
  summary: 'Set the name and the colour that the dashboard shows',
  description:
    'Seen by the members of the account. Both are replaced; null takes one away. Needs the entitlement `branding`.',
  method: 'put',
  path: '/v1/accounts/{account_id}/branding',
  request: {
    params: z.object({ account_id: AccountId }),
    body: body(
      z
        .strictObject({
          display_name: text(60)
            .refine((value) => value.trim().length > 0, 'must not be blank; null takes it away')
            .nullable(),
          accent: z
            .string()
            .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #1f6feb, or null')
            .nullable(),
        })
        .openapi('SetBranding', { example: examples.setBranding }),
    ),
  },
  responses: { 200: json(Branding, 'The branding'), ...refusals(400, 402, 403, 404, 415) },
})

export const listTokens = createRoute({
  ...common,
  operationId: 'listTokens',
  ...reachedBy({ any_person: true }),
  summary: 'List your user tokens',
  description: 'Never their secrets: `prefix` is what to recognise one by.',
  method: 'get',
  path: '/v1/accounts/tokens',
  responses: { 200: json(z.object({ tokens: z.array(Token) }), 'Your tokens'), ...refusals(403) },
})

export const createToken = createRoute({
  ...common,
  operationId: 'createToken',
  ...reachedBy({ any_person: true }),
  summary: 'Mint a user token',
  description:
    'It acts as you. The secret is in this answer and never again. The key rules of your accounts hold: 400 `expiry_required` or `expiry_too_far`.',
  method: 'post',
  path: '/v1/accounts/tokens',
  request: { body: body(CreateToken) },
  responses: { 201: json(MintedToken, 'The token'), ...refusals(400, 403, 415) },
})

export const revokeToken = createRoute({
  ...common,
  operationId: 'revokeToken',
  ...reachedBy({ any_person: true }),
  summary: 'Revoke one of your user tokens',
  description: 'It is of no use from the next request on.',
  method: 'delete',
  path: '/v1/accounts/tokens/{token_id}',
  request: { params: z.object({ token_id: TokenId }) },
  responses: { 204: { description: 'Revoked' }, ...refusals(400, 403, 404) },
})

export const listProjectTokens = createRoute({
  ...common,
  operationId: 'listProjectTokens',
  ...reachedBy({ capability: 'project.credentials.issue' }),
  summary: 'List the tokens of a project',
  description: 'Never their secrets: `prefix` is what to recognise one by. For people only.',
  method: 'get',
  path: '/v1/projects/{project_id}/cli-token',
  request: { params: ProjectParams },
  responses: { 200: json(z.object({ tokens: z.array(Token) }), 'The tokens'), ...refusals(400, 403, 404) },
})

export const createProjectToken = createRoute({
  ...common,
  operationId: 'createProjectToken',
  ...reachedBy({ capability: 'project.credentials.issue' }),
  summary: 'Mint a token that reaches one project',
  description:
    'It works on this project and reaches nothing else. The secret is in this answer and never again. For people only.',
  method: 'post',
  path: '/v1/projects/{project_id}/cli-token',
  request: { params: ProjectParams, body: body(CreateProjectToken, false) },
  responses: { 201: json(MintedToken, 'The token'), ...refusals(400, 403, 404, 415) },
})

export const revokeProjectToken = createRoute({
  ...common,
  operationId: 'revokeProjectToken',
  ...reachedBy({ capability: 'project.credentials.issue' }),
  summary: 'Revoke a token of a project',
  description: 'It is of no use from the next request on. For people only.',
  method: 'delete',
  path: '/v1/projects/{project_id}/cli-token/{token_id}',
  request: { params: z.object({ project_id: ProjectId, token_id: TokenId }) },
  responses: { 204: { description: 'Revoked' }, ...refusals(400, 403, 404) },
})
