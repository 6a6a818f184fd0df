import { readFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { PreviewPlace } from '@svc/context'
import type { ApiParts, AppEnv } from '../parts.ts'
import { dashboardAssets, servesDashboard } from './files.ts'

/** The pages keep a token: nothing but their own files and this API may be loaded, run or asked; previews may be framed. */
function policyWith(previews: PreviewPlace | null | undefined): string {
  const frames = previews ? ` frame-src ${previews.scheme}://*.${previews.host};` : ''
  return `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';${frames} base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

/**
 * The dashboard below `/dashboard/`: one page for every address of it, and files whose names change with their content.
 */
export function dashboardRoutes(
  { dashboard_dir }: Pick<ApiParts, 'dashboard_dir'>,
  previews?: PreviewPlace | null,
) {
  const app = new OpenAPIHono<AppEnv>()
  if (!servesDashboard(dashboard_dir)) return app
  const policy = policyWith(previews)
  const page = readFileSync(join(dashboard_dir, 'index.html'), 'utf8')
  const assets = dashboardAssets(dashboard_dir)
  app.get('/dashboard', (c) => c.redirect('/dashboard/'))
  app.get('/dashboard/assets/:name', async (c) => {
    const asset = assets.get(c.req.param('name'))
    if (asset === undefined) return c.notFound()
    const headers = { 'Content-Type': asset.type, 'Cache-Control': 'public, max-age=31536000, immutable' }
    return c.body(new Uint8Array(await readFile(asset.path)), 200, headers)
  })
  app.get('/dashboard/*', (c) => {
    c.header('Content-Security-Policy', policy)
    c.header('Referrer-Policy', 'no-referrer')
    return c.html(page)
  })
  return app
}
