import { issuesOf } from '@svc/contract/issues'
import { z } from 'zod'
import type { JsonObject } from './json.ts'
import { refused } from '../refuse.ts'
import type { Selection } from './select-attributes.ts'

const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** The most that one answer holds, also said by ServiceProviderConfig. */
export const maxResults = 200

const whole = z
  .string()
  .regex(/^[+-]?\d{1,9}$/, 'must be a whole number')
  .transform(Number)

const Query = z.object({
  filter: z.string().min(1, 'must not be empty').optional(),
  startIndex: whole.default(1).transform((index) => Math.max(1, index)),
  count: whole.default(100).transform((count) => Math.min(maxResults, Math.max(0, count))),
  attributes: z.string().max(4096).optional(),
  excludedAttributes: z.string().max(4096).optional(),
})

export interface ListQuery extends Selection {
  readonly filter?: string | undefined
  /** From 1. */
  readonly startIndex: number
  readonly count: number
}

/** The query of a list, within its bounds (RFC 7644 section 3.4.2.4); what is unknown is ignored. */
export function readListQuery(query: Readonly<Record<string, string | undefined>>): ListQuery {
  const read = Query.safeParse(query)
  if (read.success) return read.data
  const { path = '', message = '' } = issuesOf(read.error)[0] ?? {}
  throw refused(path === 'filter' ? 'invalidFilter' : 'invalidValue', `${path} ${message}`)
}

export function listResponse(
  resources: readonly JsonObject[],
  { totalResults, startIndex }: { readonly totalResults: number; readonly startIndex: number },
): JsonObject {
  const itemsPerPage = resources.length
  return { schemas: [listSchema], totalResults, startIndex, itemsPerPage, Resources: resources }
}

/** The page of what was found. */
export function pageOf<T>(found: readonly T[], { startIndex, count }: ListQuery): readonly T[] {
  return found.slice(startIndex - 1, startIndex - 1 + count)
}
