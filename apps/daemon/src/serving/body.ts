import { issuesOf } from '@svc/contract/issues'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { z } from 'zod'
import { refusal, refuse } from './answers.ts'

function parse<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = issuesOf(parsed.error)
  const first = issues[0]
  const message = first ? `${first.path}: ${first.message}`.replace(/^: /, '') : 'The request is not valid'
  throw new HTTPException(400, {
    res: Response.json(refusal(400, message, 'invalid_request', { issues }), { status: 400 }),
  })
}

/** A request without a body counts as an empty object. */
export async function readBody<S extends z.ZodType>(c: Context, schema: S): Promise<z.infer<S>> {
  const text = await c.req.text()
  return parse(schema, text === '' ? {} : parseJson(text))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return refuse(400, 'The body is not JSON; check its quotes and commas', 'malformed_json')
  }
}

export function readQuery<S extends z.ZodType>(c: Context, schema: S): z.infer<S> {
  return parse(schema, c.req.query())
}
