import { expect, test } from 'vitest'
import { z } from 'zod'
import * as contract from '../index.ts'
import { accessRule } from './access.ts'

const Route = z.looseObject({
  operationId: z.string(),
  request: z.looseObject({
    body: z.looseObject({
      content: z.object({ 'application/json': z.object({ schema: z.instanceof(z.ZodType) }) }),
    }),
  }),
})

type Issue = z.core.$ZodIssue

/** A protocol of others says which keys are passed over (RFC 7591, section 2). */
const { oauthProtocol: _, ...nouns } = contract

/** Every noun of the contract with its routes that take a body. */
const bodies = Object.values(nouns)
  .flatMap((noun) => (typeof noun === 'object' ? Object.values(noun) : []))
  .flatMap((value: unknown) => {
    const route = Route.safeParse(value)
    if (!route.success || typeof value !== 'object' || value === null) return []
    const { operationId, request } = route.data
    const { schema } = request.body.content['application/json']
    const access = accessRule(value)
    return optionsOf(schema).map((option) => ({ operationId, schema: option, access }))
  })
  // A daemon outlives the release that it came with: a platform that knows fewer keys takes the ones that it knows.
  .filter(({ access }) => access !== null && !('sandbox_key' in access))

test('the bodies are found', () => {
  expect(bodies.length).toBeGreaterThan(40)
})

test.each(bodies)('$operationId refuses a key that is no field of it', ({ schema }) => {
  const { error } = schema.safeParse({ no_such_field: 1 })
  expect(refuses(error?.issues ?? []), JSON.stringify(error?.issues)).toBe(true)
})

/** Each shape of a body whose shape depends on one of its keys: none of them is tried before that key is right. */
function optionsOf(schema: z.ZodType): readonly z.ZodType[] {
  return schema instanceof z.ZodDiscriminatedUnion ? schema.options.filter(isSchema) : [schema]
}

function isSchema(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType
}

function refuses(issues: readonly Issue[]): boolean {
  return issues.some((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.includes('no_such_field')
    return issue.code === 'invalid_union' && issue.errors.length > 0 && issue.errors.every(refuses)
  })
}
