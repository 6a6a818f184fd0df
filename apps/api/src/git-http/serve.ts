import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@svc/errors'
import { serveGit } from '@svc/git'
import { authenticate, authorizeGit, type Context } from '@svc/services'
import { ClientLeft } from '../middleware/client-left.ts'
import { refusalOf } from '../middleware/refusal.ts'
import type { ApiParts } from '../parts.ts'
import { contextOf, header, openExchange } from '../raw/exchange.ts'
import { answerRefusal, answerText } from './answer-text.ts'
import { gitCredential } from './credential.ts'
import { type GitRoute, gitRoute } from './route.ts'

/** The managed origin: one smart HTTP exchange, streamed both ways. */
export async function serveGitHttp(
  parts: ApiParts,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const exchange = openExchange(parts, '/v1/git/:repository', req, res)
  try {
    const token = gitCredential(header(req, 'authorization'))
    if (token === null)
      throw new ServiceError('unauthorized', 'Sign in with any user name and a token as the password')
    const routing = gitRoute(req.method ?? 'GET', req.url ?? '/')
    const principal = await authenticate(parts, token)
    if (routing.kind === 'refused') {
      if (routing.allow !== undefined) res.setHeader('Allow', routing.allow)
      return answerText(res, routing.status, routing.text)
    }
    await exchangePack(contextOf(parts, exchange, principal), routing.route, req, res)
  } catch (error) {
    if (error instanceof ClientLeft || exchange.signal.aborted) return
    if (res.headersSent) {
      exchange.log.warn({ err: error }, 'a git exchange broke off')
      return void res.destroy()
    }
    const refusal = refusalOf(error)
    if (refusal) return answerRefusal(res, refusal)
    exchange.log.error({ err: error }, 'a git exchange failed')
    answerText(res, 500, 'Something went wrong; report it with the X-Request-Id')
  }
}

async function exchangePack(
  ctx: Context,
  route: GitRoute,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { project_id, service, advertise } = route
  const { repository, rules } = await authorizeGit(ctx, { project_id, service })
  const expected = `application/x-${service}-request`
  if (!advertise && header(req, 'content-type') !== expected) {
    throw new ServiceError('unsupported_media_type', `The body must be ${expected}`)
  }
  res.statusCode = 200
  res.setHeader('Content-Type', `application/x-${service}-${advertise ? 'advertisement' : 'result'}`)
  res.setHeader('Cache-Control', 'no-cache, max-age=0, must-revalidate')
  const result = await serveGit(repository, {
    service,
    advertise,
    git_protocol: header(req, 'git-protocol'),
    input: req,
    output: res,
    gzip: /^(x-)?gzip$/i.test(header(req, 'content-encoding') ?? ''),
    rules,
  })
  if (result.exit_code !== 0)
    ctx.log.info({ service, exit_code: result.exit_code, stderr: result.stderr }, 'git refused')
  if (result.exit_code !== 0 && !res.headersSent)
    throw new Error(`git ${service} ended with ${result.exit_code}`)
  res.end()
}
