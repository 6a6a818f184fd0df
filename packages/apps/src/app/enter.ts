import { randomBytes } from 'node:crypto'
import { featureFlag, isFeatureOn } from '@svc/access'
import { mayView, modeOf } from '@svc/app'
import { audited, denied, forbidden, mayAlso, requireActor, requireProject, tokenHash } from '@svc/context'
import { type AppPlace, appVisits } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Changing } from '../context.ts'

export interface EnterAppInput {
  /** As the browser shows it; a port is let go. */
  readonly host: string
  readonly return_path: string
}

const codeMinutes = 2
const tokenMinutes = 60

/** A way into an app for a person whom the platform knows: a link that opens once, and a token for machines. */
export async function enterApp(ctx: Changing, { host, return_path }: EnterAppInput) {
  requireActor(ctx)
  const { place, url } = await placeOf(ctx, host)
  const viewer = await viewerOf(ctx, place)
  const now = ctx.now().getTime()
  const after = (minutes: number) => new Date(now + minutes * 60_000)
  const [code, token] = [secret(), secret()]
  const { channel_id, policy_revision, project_id } = place
  const entry = {
    account_id: viewer.account_id,
    project_id,
    action: 'enterApp',
    target: `projects/${project_id}/apps/${viewer.app}`,
  }
  return audited(ctx, entry, async (tx) => {
    const visitor = { channel_id, viewer: viewer.user_id, policy_revision }
    await appVisits.addExchange(tx, {
      ...visitor,
      code_hash: tokenHash(code),
      return_path,
      expires_at: after(codeMinutes),
    })
    const expires_at = after(tokenMinutes)
    await appVisits.addVisit(tx, {
      ...visitor,
      token_hash: tokenHash(token),
      created_at: ctx.now(),
      expires_at,
    })
    return { url: `${url}/.svc/enter?code=${code}`, token, expires_at: after(codeMinutes) }
  })
}

async function placeOf(ctx: Changing, host: string): Promise<{ place: AppPlace; url: string }> {
  const at = ctx.settings.apps_url === undefined ? null : new URL(ctx.settings.apps_url)
  const name = host.toLowerCase().replace(/:\d*$/, '')
  const label =
    at !== null && name.endsWith(`.${at.hostname}`) ? name.slice(0, -at.hostname.length - 1) : null
  const place = label === null ? undefined : await appVisits.findPlace(ctx.db, label, ctx.now())
  if (at === null || place === undefined || !isFeatureOn(featureFlag('apps'), place.feature))
    throw new ServiceError('app_not_found', 'No app is at this host; look up its address in its project')
  return { place, url: `${at.protocol}//${label}.${at.host}` }
}

async function viewerOf(ctx: Changing, place: AppPlace) {
  const user_id = requireActor(ctx)
  const { app_id, project_id, access_mode, kind } = place
  const facts = await appVisits.viewerFacts(ctx.db, app_id, user_id)
  const mode = modeOf(access_mode, kind)
  const seen = facts.account_role !== null || facts.member_role !== null
  // Listed people need no role in the project; a session or a bound token comes with that of its own project alone.
  const project = await requireProject(ctx, project_id, 'project.app.read').catch((error: unknown) => {
    if (error instanceof ServiceError && ['forbidden', 'not_found'].includes(error.code)) return null
    throw error
  })
  const viewer = {
    reads: project !== null,
    writes: project !== null && mayAlso(ctx.principal, 'project.app.write', project),
    listed: facts.listed && ctx.principal.type === 'user',
  }
  if (!mayView(mode, viewer))
    throw denied(
      ctx,
      seen
        ? forbidden(
            'project.app.read',
            `The app is ${mode}, and its policy does not name you; ask who may change it`,
          )
        : new ServiceError('app_not_found', 'No app is at this host; look up its address in its project'),
    )
  return { user_id, account_id: place.account_id, app: place.name }
}

const secret = () => randomBytes(32).toString('base64url')
