import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import * as contract from '@svc/contract'
import { openApiDocument } from '../../src/docs/openapi.ts'
import type { AppEnv } from '../../src/parts.ts'
import { documentedOperations, OpenApiDocument } from './openapi.ts'

type Body = Readonly<Record<string, unknown>>

/** The body of each operation that has one, as its example in the reference is. */
export const validBodies: Readonly<Record<string, Body>> = Object.fromEntries(
  documentedOperations(documentOfContract()).flatMap(({ operationId, requestBody }) => {
    const example = requestBody?.content['application/json']?.example
    return isBody(example) ? [[operationId, example]] : []
  }),
)

function documentOfContract(): OpenApiDocument {
  const app = new OpenAPIHono<AppEnv>()
  const routes = Object.values(contract).flatMap((noun) =>
    Object.values<unknown>(Object(noun)).filter(isRoute),
  )
  for (const route of routes) app.openAPIRegistry.registerPath(route)
  return OpenApiDocument.parse(JSON.parse(JSON.stringify(openApiDocument(app, ''))))
}

function isRoute(value: unknown): value is RouteConfig {
  return typeof value === 'object' && value !== null && 'operationId' in value && 'responses' in value
}

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null
}
