import * as contract from '@svc/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fillIn, type Ids, makeObjects } from '../support/objects.ts'
import type { Answer } from '../support/platform.ts'
import { spoiled, valuesOf } from '../support/schema-values.ts'
import { openWorld } from '../support/world.ts'

/** SVC_LONG_TESTS=1 sends more requests, other ones each time; a failure names its seed. */
const long = process.env.SVC_LONG_TESTS === '1'
const plan = long ? { numRuns: 100 } : { numRuns: 5, seed: 20_261_121 }

const Parameter = z.object({ name: z.string(), in: z.string(), schema: z.unknown() })
const Content = z.record(z.string(), z.object({ schema: z.unknown() }))
const Documented = z.object({
  operationId: z.string(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })),
})
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Documented)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

const { platform, account_id } = await openWorld()
let ids: Ids
let document: z.infer<typeof Document>
let ajv: Ajv2020

beforeAll(async () => {
  ids = await makeObjects(platform, platform.owner, account_id)
  const { body } = await platform.call('/v1/openapi.json')
  document = Document.parse(body)
  ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(Object(body), 'document')
  formats.default(ajv)
})

const resolve = (ref: string) => document.components.schemas[ref.split('/').at(-1) ?? '']

/** A body as the document describes it, and its status among those that are documented. */
function expectDocumented({ responses }: z.infer<typeof Documented>, answer: Answer, request: string): void {
  const exchange = `${request}\n${answer.status} ${answer.text.slice(0, 1_000)}`
  // No worker runs here: the session that is asked for is on its way up for good.
  const is_starting =
    answer.status === 503 && z.object({ code: z.literal('session_starting') }).safeParse(answer.body).success
  if (!is_starting) expect(answer.status, exchange).toBeLessThan(500)
  const documented = responses[String(answer.status)]
  expect(documented, `the document does not name this status\n${exchange}`).toBeDefined()
  const type = answer.headers.get('content-type')?.split(';')[0] ?? null
  const content = documented?.content
  if (content === undefined) return expect(answer.text, exchange).toBe('')
  expect(Object.keys(content), exchange).toContain(type)
  if (type !== 'application/json') return
  const schema = JSON.parse(
    JSON.stringify(content[type]?.schema).replaceAll('"#/components', '"document#/components'),
  )
  expect(ajv.validate(schema, answer.body), `${ajv.errorsText()}\n${exchange}`).toBe(true)
}

interface GeneratedRequest {
  readonly path: Ids
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** A stream has no end to wait for. */
const streamed = new Set(['accept'])

function requestsOf({ parameters, requestBody }: z.infer<typeof Documented>): fc.Arbitrary<GeneratedRequest> {
  const named = (where: string) => {
    const found = parameters.filter((parameter) => parameter.in === where && !streamed.has(parameter.name))
    const values = found.map(({ name, schema }) => {
      const valid = valuesOf(schema, resolve)
      return [name, fc.oneof({ weight: 3, arbitrary: valid }, { weight: 1, arbitrary: odd })] as const
    })
    return fc.record(Object.fromEntries(values), { requiredKeys: [] })
  }
  const schema = requestBody?.content['application/json']?.schema
  const valid = schema === undefined ? undefined : valuesOf(schema, resolve)
  const parts = { query: named('query'), headers: named('header'), path: idsOf(parameters) }
  return valid === undefined
    ? fc.record(parts)
    : fc.record({ ...parts, body: fc.oneof(valid, spoiled(valid)) })
}

const odd = fc.constantFrom<unknown>('', '\0', '-1', '0', '1e9', 'x', '..', '%', "'", '{}', 'e30.AAAA', 'é')

/** Mostly the objects that are there, now and then one that is not. */
function idsOf(parameters: readonly z.infer<typeof Parameter>[]): fc.Arbitrary<Ids> {
  const own = parameters.filter((parameter) => parameter.in === 'path' && parameter.name !== 'project_id')
  const values = own.map(({ name, schema }) => {
    const other = fc.oneof(
      valuesOf(schema, resolve),
      odd.filter((value) => value !== '..' && value !== ''),
    )
    const arbitrary = other.map((value) => encodeURIComponent(String(value)))
    return [
      name,
      fc.oneof({ weight: 4, arbitrary: fc.constant(ids[name] ?? 'none') }, { weight: 1, arbitrary }),
    ]
  })
  return fc.record(Object.fromEntries(values))
}

async function send(
  operation: contract.Operation,
  { path, query, headers, body }: GeneratedRequest,
): Promise<Answer> {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) search.set(name, String(value))
  const sendable = Object.entries(headers).filter(([, value]) => /^[\x21-\x7e]+$/.test(String(value)))
  return platform.call(`${fillIn(operation.path, { ...ids, ...path })}?${search.toString()}`, {
    method: operation.method,
    token: platform.owner.token,
    headers: Object.fromEntries(sendable.map(([name, value]) => [name, String(value)])),
    ...(body === undefined ? {} : { json: body }),
  })
}

/** These operations end what the others need, or wait for a worker that does not run here. */
const elsewhere = new Set([
  ...['archiveProject', 'deleteSession', 'removeMember', 'revokeToken'],
  ...['mergeChangeRequest', 'startSession', 'createTrigger', 'updateTrigger', 'deleteTrigger'],
  ...['createConnector', 'deleteConnector'],
])

describe.each(contract.operations.filter(({ name }) => !elsewhere.has(name)))(
  '$method $path',
  (operation) => {
    test('answers whatever it is sent as the document says', async () => {
      const documented = document.paths[operation.path]?.[operation.method.toLowerCase()]
      if (documented === undefined) throw new Error('the document does not have this operation')
      await fc.assert(
        fc.asyncProperty(requestsOf(documented), async (request) => {
          const answer = await send(operation, request)
          expectDocumented(documented, answer, JSON.stringify(request).slice(0, 2_000))
        }),
        { ...plan, endOnFailure: !long },
      )
    })
  },
)

test('nothing of this took the credential or the project away', async () => {
  const { token } = platform.owner
  expect(await platform.call('/v1/accounts/me', { token })).toMatchObject({ status: 200 })
  expect(await platform.call(fillIn('/v1/projects/{project_id}', ids), { token })).toMatchObject({
    status: 200,
  })
})
