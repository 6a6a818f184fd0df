import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OpenAPIHono } from '@hono/zod-openapi'
import { matchesEtag, type PreviewPlace } from '@svc/context'
import type { Context } from 'hono'
import { acceptedCoding } from '../compression/accepted-coding.ts'
import type { ApiParts, AppEnv } from '../parts.ts'
import { codedPath, dashboardAssets, type PageFile, pageFile, servesDashboard } from './files.ts'

/** The pages keep a key: nothing but their own files and this API may be loaded, run or asked; previews may be framed. */
function policyWith(previews: PreviewPlace | null | undefined): string {
  const frames = previews ? ` frame-src ${previews.scheme}://*.${previews.host};` : ''
  return `default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self';${frames} base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
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
  const page = pageFile(join(dashboard_dir, 'index.html'), 'text/html; charset=UTF-8')
  const etag = tagOf(page.path)
  const assets = dashboardAssets(dashboard_dir)
  app.get('/dashboard', (c) => c.redirect('/dashboard/'))
  app.get('/dashboard/assets/:name', async (c) => {
    const asset = assets.get(c.req.param('name'))
    if (asset === undefined) return c.notFound()
    c.header('Cache-Control', 'public, max-age=31536000, immutable')
    return sendFile(c, asset)
  })
  const worker = pageFile(join(dashboard_dir, 'push-worker.js'), 'text/javascript; charset=utf-8')
  app.get('/dashboard/push-worker.js', async (c) => {
    c.header('Content-Security-Policy', "default-src 'none'")
    c.header('Cache-Control', 'no-cache')
    return sendFile(c, worker)
  })
  app.get('/dashboard/*', async (c) => {
    c.header('Content-Security-Policy', policy)
    c.header('Referrer-Policy', 'no-referrer')
    c.header('Cache-Control', 'no-cache')
    c.header('ETag', etag)
    if (matchesEtag(c.req.header('If-None-Match'), etag)) return c.body(null, 304)
    return sendFile(c, page)
  })
  return app
}

/** The file in the best coding that the client takes and the build wrote. */
async function sendFile(c: Context<AppEnv>, file: PageFile): Promise<Response> {
  const asked = acceptedCoding(c.req.header('Accept-Encoding'))
  const coding = asked !== null && file.codings.includes(asked) ? asked : null
  if (file.codings.length > 0) c.header('Vary', 'Accept-Encoding')
  if (coding !== null) c.header('Content-Encoding', coding)
  c.header('Content-Type', file.type)
  return c.body(new Uint8Array(await readFile(codedPath(file, coding))), 200)
}

/** Weak: the same page in another coding is another row of bytes. */
function tagOf(path: string): string {
  return `W/"${createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22)}"`
}
