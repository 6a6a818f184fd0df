import { matchesEtag } from '@svc/context'
import { selectScimAttributes } from '@svc/identity'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AppEnv } from '../parts.ts'
import { scimType } from './error.ts'

type Definition = Parameters<typeof selectScimAttributes>[0]

interface Stored {
  readonly resource: Record<string, unknown>
  readonly etag: string
  readonly location: string
}

export function scimJson(c: Context<AppEnv>, body: object, status: ContentfulStatusCode = 200): Response {
  return c.json(body, status, scimType)
}

/** One resource, or 304 for a caller who has it. */
export function answerOne(c: Context<AppEnv>, stored: Stored, kind: { definition: Definition }): Response {
  if (!matchesEtag(c.req.header('If-None-Match'), stored.etag)) return answerStored(c, stored, kind, 200)
  return c.body(null, 304, { ETag: stored.etag })
}

/** One resource, or the part of it that was asked for, with where it is and which version. */
export function answerStored(
  c: Context<AppEnv>,
  { resource, etag, location }: Stored,
  { definition }: { definition: Definition },
  status: 200 | 201,
): Response {
  c.header('ETag', etag)
  c.header(status === 201 ? 'Location' : 'Content-Location', location)
  const { attributes, excludedAttributes } = c.req.query()
  return scimJson(c, selectScimAttributes(definition, resource, { attributes, excludedAttributes }), status)
}
