import type { IncomingMessage, ServerResponse } from 'node:http'
import { authenticate, type Context, recordAudit, recordingRefusal, requireWritesOpen } from '@svc/context'
import { ServiceError } from '@svc/errors'
import { type PushReport, serveGit, SlowClient } from '@svc/git'
import { authorizeGit, noteDefaultBranch } from '@svc/services'
import { git } from '../door/dialects.ts'
import { admit, contextOf, setHeaders, throughDoor } from '../door/door.ts'
import { write } from '../door/render.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import { header } from '../door/visit.ts'
import type { ApiParts } from '../parts.ts'
import { gitCredential } from './credential.ts'
import { type GitRoute, gitRoute } from './route.ts'

type GitLimits = NonNullable<ApiParts['git_limits']>

/** The managed origin: one smart HTTP exchange, streamed both ways. */
export function gitDoor(parts: ApiParts, limited: RequestLimits) {
  return throughDoor(
    parts,
    limited,
    { route: '/v1/git/:repository', dialect: git },
    async (visit, req, res) => {
      const token = gitCredential(header(req, 'authorization'))
      if (token === null)
        throw new ServiceError(
          'unauthorized',
          'This needs a token: give it as the password, with any user name',
        )
      const routing = gitRoute(visit.method, req.url ?? '/')
      const named = routing.kind === 'route' ? actionOf(routing.route) : { action: 'gitFetch', target: 'git' }
      const admitted = await admit(parts, limited, visit, named, () => authenticate(parts, token))
      setHeaders(res, admitted.limits)
      if (routing.kind === 'refused') {
        if (routing.allow !== undefined) res.setHeader('Allow', routing.allow)
        return answerText(res, routing.status, routing.text)
      }
      visit.trail.reads = routing.route.service === 'git-upload-pack'
      const ctx = contextOf(parts, visit, admitted.principal)
      try {
        await audited(ctx, routing.route, () =>
          exchangePack(ctx, { ...routing.route, ...parts.git_limits }, req, res),
        )
      } catch (error) {
        if (!(error instanceof SlowClient) || res.headersSent) throw error
        answerText(
          res,
          408,
          'The request came too slowly and was ended; send it again over a faster connection',
        )
      }
    },
  )
}

function answerText(res: ServerResponse, status: number, text: string): void {
  write(res, { status, headers: git.headers, text: `${text}\n` })
}

/**
 * Pushes leave an event, and so does every denial. A sandbox's own checkpoints are not a person's action, and leave
 * none.
 */
async function audited(
  ctx: ReturnType<typeof contextOf>,
  route: GitRoute,
  exchangeOf: () => Promise<PushReport | null>,
): Promise<void> {
  const { service, advertise } = route
  const named = actionOf(route)
  const unwritten = (error: unknown) => ctx.log.error({ err: error }, 'an audit event was not written')
  const { principal, trail } = ctx
  const report = await recordingRefusal(ctx, { ...named, principal, trail }, exchangeOf)
  const { subject } = trail
  if (service !== 'git-receive-pack' || advertise || principal.type === 'sandbox' || !subject) return
  await recordAudit(ctx, ctx.db, { ...subject, ...named, ...outcomeOf(report) }).catch(unwritten)
}

function actionOf({ service, project_id }: GitRoute) {
  return { action: service === 'git-receive-pack' ? 'gitPush' : 'gitFetch', target: `git/${project_id}.git` }
}

const maxRefs = 50

/** Git answers a push that its policy refuses as it answers any other: its report says which refs moved. */
function outcomeOf(report: PushReport | null) {
  if (report === null) return {}
  const { moved, refused } = report
  const declined = refused.some(({ reason }) => reason === 'hook declined')
  const outcome = moved.length > 0 || refused.length === 0 ? 'success' : declined ? 'denied' : 'failed'
  return { outcome, details: { refs: moved.slice(0, maxRefs), refused: refused.slice(0, maxRefs) } } as const
}

async function exchangePack(
  ctx: Context,
  { project_id, service, advertise, ...limits }: GitRoute & GitLimits,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<PushReport | null> {
  if (service === 'git-receive-pack' && ctx.principal.type !== 'sandbox') requireWritesOpen(ctx)
  const { repository, rules, foreign, received } = await authorizeGit(ctx, { project_id, service })
  const expected = `application/x-${service}-request`
  if (!advertise && header(req, 'content-type') !== expected) {
    throw new ServiceError('unsupported_media_type', `The body must be ${expected}`)
  }
  const gzip = !advertise && isGzip(header(req, 'content-encoding'))
  res.statusCode = 200
  res.setHeader('Content-Type', `application/x-${service}-${advertise ? 'advertisement' : 'result'}`)
  res.setHeader('Cache-Control', 'no-cache, max-age=0, must-revalidate')
  const result = await serveGit(repository, {
    service,
    advertise,
    git_protocol: header(req, 'git-protocol'),
    input: req,
    output: res,
    gzip,
    rules,
    foreign,
    ...limits,
  })
  if (result.exit_code !== 0)
    ctx.log.info({ service, exit_code: result.exit_code, stderr: result.stderr }, 'git refused')
  if (result.exit_code !== 0 && !res.headersSent) {
    // git answers every body that it can read; silence means that it could not read this one.
    if (advertise) throw new Error(`git ${service} ended with ${result.exit_code}`)
    throw new ServiceError('invalid_request', 'git could not read this request; send it with a git client')
  }
  if (service === 'git-receive-pack' && !advertise && result.exit_code === 0) await received?.()
  // After any push: looking at a default branch that did not move costs next to nothing.
  if (service === 'git-receive-pack' && !advertise) await noteDefaultBranch(ctx, { project_id })
  res.end()
  return result.report ?? null
}

function isGzip(encoding = 'identity'): boolean {
  if (/^(x-)?gzip$/i.test(encoding)) return true
  if (/^(identity)?$/i.test(encoding)) return false
  throw new ServiceError(
    'unsupported_media_type',
    'The body is compressed with something else than gzip; send it with gzip, or uncompressed',
  )
}
