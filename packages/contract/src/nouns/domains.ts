import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { AccountId, MailDomain } from '../kit/parameters.ts'

const tags = ['Single sign-on']
const claimers = reachedBy({ account_role: 'owner', entitlement: 'sso' })
const path = '/v1/accounts/{account_id}/domains'

const AccountParams = z.object({ account_id: AccountId })
const DomainParams = AccountParams.extend({ domain: MailDomain })

export const Domain = z
  .object({
    domain: z.string().openapi({ description: 'In small letters and Punycode' }),
    status: z.enum(['pending', 'verified']),
    record: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .openapi({ description: 'What the DNS has to say as a proof; it may go once the domain is verified' }),
    created_at: Timestamp,
    expires_at: Timestamp.nullable().openapi({ description: 'When a claim that is not proved ends' }),
    verified_at: Timestamp.nullable(),
  })
  .openapi('Domain')

export const listDomains = createRoute({
  tags,
  ...reachedBy({ account_role: 'admin' }),
  operationId: 'listDomains',
  summary: 'List the mail domains of the account',
  description: 'Those that it has proved to be its own, and those that it claims.',
  method: 'get',
  path,
  request: { params: AccountParams },
  responses: {
    200: json(z.object({ domains: z.array(Domain) }), 'By their names'),
    ...refusals(400, 403, 404),
  },
})

export const claimDomain = createRoute({
  tags,
  ...claimers,
  operationId: 'claimDomain',
  summary: 'Claim a mail domain',
  description:
    'The answer says which record of the DNS proves it. A claim that is not proved ends after seven days; asked for again it stays the same. 400 `domain_not_allowed` for public suffixes and public mail domains, 409 `domain_taken` for one that another account has proved.',
  method: 'post',
  path,
  request: {
    params: AccountParams,
    body: body(
      z.strictObject({ domain: text(255).min(1) }).openapi('ClaimDomain', { example: examples.claimDomain }),
    ),
  },
  responses: { 201: json(Domain, 'The claim'), ...refusals(400, 402, 403, 404, 409, 415) },
})

export const verifyDomain = createRoute({
  tags,
  ...claimers,
  operationId: 'verifyDomain',
  summary: 'Have the proof of a mail domain looked at',
  description:
    'Asks the DNS for the record of the claim. From then on the domain is this account’s alone. 422 `domain_not_proved` as long as the record is not to be seen.',
  method: 'post',
  path: `${path}/{domain}/verify`,
  request: { params: DomainParams },
  responses: { 200: json(Domain, 'Verified'), ...refusals(400, 402, 403, 404, 409, 422) },
})

export const deleteDomain = createRoute({
  tags,
  ...reachedBy({ account_role: 'owner' }),
  operationId: 'deleteDomain',
  summary: 'Give a mail domain free',
  description:
    'Its people sign in as people without a domain do from then on, and another account may prove it.',
  method: 'delete',
  path: `${path}/{domain}`,
  request: { params: DomainParams },
  responses: { 204: { description: 'Free' }, ...refusals(400, 403, 404) },
})
