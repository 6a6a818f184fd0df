import { OpenAPIHono } from '@hono/zod-openapi'
import { manifestJsonSchema } from '@svc/manifest'
import { servesDashboard } from '../dashboard/files.ts'
import type { ApiParts, AppEnv } from '../parts.ts'
import { openApiDocument } from './openapi.ts'
import { requestOrigin } from './origin.ts'
import { homePage, referencePage, referenceScript } from './pages.ts'
import { assetTypes, referenceAssets } from './reference-assets.ts'

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

export function homeRoutes({
  public_docs,
  dashboard_dir,
  trust_proxy = false,
}: Pick<ApiParts, 'public_docs' | 'dashboard_dir' | 'trust_proxy'>) {
  const app = new OpenAPIHono<AppEnv>()
  const shown = { docs: public_docs, dashboard: servesDashboard(dashboard_dir) }
  const schema = JSON.stringify(manifestJsonSchema())
  app.get('/', (c) => {
    c.header('Content-Security-Policy', pagePolicy)
    return c.html(homePage(requestOrigin(c, trust_proxy), shown))
  })
  app.get('/v1/schemas/svc.v2.json', (c) =>
    c.body(schema, 200, { 'Content-Type': 'application/schema+json' }),
  )
  return app
}

/** The OpenAPI document of `documented`, and the interactive reference over it. */
export function docsRoutes(
  documented: OpenAPIHono<AppEnv>,
  { version, trust_proxy = false }: Pick<ApiParts, 'version' | 'trust_proxy'>,
) {
  const app = new OpenAPIHono<AppEnv>()
  const asset = referenceAssets()
  let document: ReturnType<typeof openApiDocument> | undefined
  app.get('/v1/openapi.json', (c) => {
    document ??= openApiDocument(documented, version)
    return c.json({ ...document, servers: [{ url: requestOrigin(c, trust_proxy) }] })
  })
  app.get('/v1/docs', (c) => {
    c.header('Content-Security-Policy', pagePolicy)
    return c.html(referencePage)
  })
  app.get('/v1/docs/start.js', (c) =>
    c.body(referenceScript, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }),
  )
  for (const [name, type] of assetTypes) {
    app.get(`/v1/docs/${name}`, async (c) =>
      c.body(await asset(name), 200, { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' }),
    )
  }
  return app
}
