import { z } from '@hono/zod-openapi'
import { isDeeper, modelNamePattern } from '@svc/facts'
import { limits } from './limits.ts'
import { Cursor, Limit, ProjectId } from './parameters.ts'
import { refusalExamples } from './refusal-examples.ts'

export const ErrorBody = z
  .object({
    error: z
      .union([z.literal(true), z.string()])
      .openapi({ description: '`true`, or the text of a refusal by git' }),
    message: z.string(),
    status: z.int(),
    code: z
      .string()
      .optional()
      .openapi({ description: 'Stable machine code; branch on it, never on the text' }),
    issues: z.array(z.object({ path: z.string(), message: z.string() }).loose()).optional(),
  })
  .loose()
  .openapi('Error')

/** A 429 is a cap of the platform, or the rate limiter, which has a shape of its own. */
export const Limited = z.union([
  ErrorBody,
  z
    .object({
      error: z.literal('rate_limit_exceeded'),
      message: z.string(),
      retry_after_seconds: z.int().openapi({ description: 'As in `Retry-After`' }),
    })
    .openapi('RateLimited'),
])

const statusTexts = {
  400: 'Invalid request: read `issues` or `message`',
  401: 'No valid credential',
  402: 'The plan of the account lacks this',
  403: 'The credential does not allow this',
  404: 'Missing, or not visible to the caller',
  409: 'Conflict with the current state: read `code`',
  410: 'Kept no more: read `code`',
  413: 'The body is too large',
  415: 'The body is not application/json',
  422: 'Valid, but it cannot apply: read `code`',
  429: 'Rate limit or concurrency cap: wait `Retry-After` seconds',
  500: 'A defect: report it with `X-Request-Id`',
  502: 'The sandbox did not answer',
  503: 'Temporary: retry after `Retry-After` seconds',
} as const

export type RefusalStatus = keyof typeof statusTexts

interface Refusal<Schema> {
  description: string
  content: { 'application/json': { schema: Schema; example: object } }
}

type Refusals<S extends RefusalStatus> = {
  [K in S]: Refusal<K extends 429 ? typeof Limited : typeof ErrorBody>
}

/** The refusals of a route: 401, 429, 500 and 503 come with every route, 413 with every route that takes a body (415). */
export function refusals<S extends RefusalStatus>(...statuses: S[]): Refusals<S | 401 | 429 | 500 | 503> {
  const with_body = new Set<number>(statuses).has(415)
  const all = new Set<RefusalStatus>([...statuses, 401, ...(with_body ? [413 as const] : []), 429, 500, 503])
  const entries = [...all].sort().map((status) => {
    const [schema, example] = [status === 429 ? Limited : ErrorBody, refusalExamples[status]]
    return [
      status,
      { description: statusTexts[status], content: { 'application/json': { schema, example } } },
    ]
  })
  return Object.fromEntries(entries) as Refusals<S | 401 | 429 | 500 | 503>
}

/** A model for a caller that names none. */
export const DefaultModel = z
  .string()
  .max(256)
  .regex(modelNamePattern, 'must be of the form provider/model')
  .nullable()
  .openapi({
    description: '`provider/model` for sessions where nothing nearer names one; null leaves it to the next',
    example: 'acme/great',
  })

/** A JSON answer. The reference makes an example where the schema has none. */
export function json<S extends z.ZodType>(schema: S, description: string) {
  return { description, content: { 'application/json': { schema } } }
}

/** A JSON request body. */
export function body<S extends z.ZodType>(schema: S, required = true) {
  return { required, content: { 'application/json': { schema } } }
}

export const Timestamp = z.iso.datetime({ offset: true }).openapi({ description: 'ISO 8601 instant' })
export const Sha = z.string().openapi({ description: 'Git object id, 40 hexadecimal digits' })

export const ProjectParams = z.object({ project_id: ProjectId })

/** Text without NUL, which PostgreSQL cannot hold. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'), 'must not contain NUL')

/** The text that an agent is told: not blank, and no more than its sandbox takes. */
export const PromptText = text(limits.promptBytes)
  .refine((value) => value.trim().length > 0, 'must not be blank')
  .refine(
    (value) => new TextEncoder().encode(value).length <= limits.promptBytes,
    `must be at most ${limits.promptBytes} bytes of UTF-8; put longer texts into a file of the repository`,
  )

export const PageQuery = z.object({
  limit: Limit(1, limits.pageMax, limits.pageDefault),
  cursor: Cursor,
})

const isShallow = (json: unknown) => !isDeeper(json, limits.jsonDepth)
const tooDeep = `must be nested at most ${limits.jsonDepth} levels deep`

/** JSON of any form, no deeper than all that reads it can follow. */
export const FreeObject = z.record(z.string(), z.unknown()).refine(isShallow, tooDeep)
export const freeList = (max: number) => z.array(z.unknown()).max(max).refine(isShallow, tooDeep)

export const Metadata = FreeObject.openapi({ description: 'Free-form JSON object' })
