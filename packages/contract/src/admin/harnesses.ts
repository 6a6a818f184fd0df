import { sha256Pattern } from '@svc/facts'
import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'
import { HarnessName } from '../kit/parameters.ts'
import { HarnessInstall } from '../nouns/harness-records.ts'

const common = { tags: ['Operated harnesses'], ...reachedBy({ platform_admin: true }) }
const path = '/v1/admin/harnesses/{name}'
const params = z.object({ name: HarnessName })

export const HarnessLicence = z
  .object({
    harness: z.string(),
    licences: z.array(
      z.object({
        name: z.string().openapi({ description: 'The package' }),
        sha256: z.string(),
        text: z.string(),
        accepted_at: Timestamp.nullable(),
        accepted_by: z.uuid().nullable(),
      }),
    ),
  })
  .openapi('HarnessLicence')

export const HarnessInstalls = z
  .object({ harness: z.string(), version: z.string(), installs: z.array(HarnessInstall) })
  .openapi('HarnessInstalls')

export const getHarnessLicence = createRoute({
  ...common,
  operationId: 'getHarnessLicence',
  summary: 'Read the texts that have to be accepted for a harness',
  description: 'An acceptance names the hash of a text; `accepted_at` is null of one that was not accepted.',
  method: 'get',
  path: `${path}/licence`,
  request: { params },
  responses: { 200: json(HarnessLicence, 'The texts'), ...refusals(400, 403, 404) },
})

export const acceptHarnessLicence = createRoute({
  ...common,
  operationId: 'acceptHarnessLicence',
  summary: 'Accept the licence of a harness, by the hash of its text',
  description:
    'Once for the whole platform; a text that changes asks again. 409 `HARNESS_LICENCE_CHANGED` where the hash is not that of the present text.',
  method: 'put',
  path: `${path}/licence`,
  request: {
    params,
    body: body(
      z
        .strictObject({ sha256: z.string().regex(sha256Pattern, 'must be a SHA-256 in hex') })
        .openapi('AcceptHarnessLicence', { example: examples.acceptHarnessLicence }),
    ),
  },
  responses: { 200: json(HarnessLicence, 'The texts'), ...refusals(400, 403, 404, 409, 415) },
})

export const revokeHarnessLicence = createRoute({
  ...common,
  operationId: 'revokeHarnessLicence',
  summary: 'Take the acceptance of a licence back',
  description: 'No more sessions start with it; those that run go on.',
  method: 'delete',
  path: `${path}/licence`,
  request: { params },
  responses: { 204: { description: 'Not accepted' }, ...refusals(400, 403, 404) },
})

export const installHarness = createRoute({
  ...common,
  operationId: 'installHarness',
  summary: 'Install a version of a harness before a session needs it',
  description:
    'A worker does it; asked again it is the same. Without a `version`: the newest pinned for the platform’s Node.',
  method: 'post',
  path: `${path}/installs`,
  request: {
    params,
    body: body(
      z
        .strictObject({ version: z.string().min(1).max(64).optional() })
        .openapi('InstallHarness', { example: examples.installHarness }),
      false,
    ),
  },
  responses: { 202: json(HarnessInstalls, 'Asked for'), ...refusals(400, 403, 404, 409, 415) },
})

export const removeHarness = createRoute({
  ...common,
  operationId: 'removeHarness',
  summary: 'Remove the files of a version of a harness',
  description: '409 `HARNESS_IN_USE` with the `sessions` that run it.',
  method: 'delete',
  path: `${path}/installs/{version}`,
  request: { params: params.extend({ version: z.string().min(1).max(64) }) },
  responses: { 204: { description: 'Removed' }, ...refusals(400, 403, 404, 409) },
})
