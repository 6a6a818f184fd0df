import { actingUser, audited, type Context, forbidden, mayAlso, requireWritesOpen } from '@svc/context'
import { type ConnectionRow, connections, connectors, personalSecrets, sessions } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { requireKeeper, requireReader, sessionAccess } from '@svc/services'
import { askingOf, pickConnection } from '../connections/resolve.ts'
import { scopeOf } from '../connections/place.ts'
import { connectorOf } from '../connectors/definition.ts'
import { connectUrl } from '../connectors/urls.ts'
import { type Bindings, bindingsOf, chosenBy, requireChoices } from './bindings.ts'

type ReadContext = Pick<Context, 'db' | 'principal' | 'settings' | 'trail'>

export interface SessionKey {
  readonly project_id: string
  readonly session_id: string
}

/** The connectors of a session, and the connection that its next call of each is made with. */
export async function getSessionConnectors(ctx: ReadContext, key: SessionKey) {
  const { session } = await requireReader(ctx, key)
  return shown(ctx, session)
}

/**
 * Chooses the connections of a session anew: those that are not named go back to a default. The next call takes them. A
 * person’s own is for a session that is that person’s alone, and no agent chooses it.
 */
export async function setSessionConnectors(
  ctx: ReadContext & Pick<Context, 'now' | 'newId' | 'maintenance'>,
  { connector_bindings, ...key }: SessionKey & { readonly connector_bindings: Bindings },
) {
  const found = await requireKeeper(ctx, key)
  const { project, session } = found
  const { principal } = ctx
  if (!mayAlso(principal, 'project.session.bindings.write', project))
    throw forbidden(
      'project.session.bindings.write',
      'Choosing connections needs project.session.bindings.write',
    )
  if (principal.type !== 'session' && sessionAccess(ctx, found) !== 'drive')
    throw forbidden(
      'project.session.bindings.write',
      'Only the owner of the session or a manager of the project chooses its connections; ask one of them',
    )
  requireWritesOpen(ctx)
  const chosen = chosenBy(connector_bindings)
  const before = session.requested.connectors ?? []
  const given = before.map(({ slug }) => slug)
  const owner =
    principal.type === 'user' && principal.user_id === session.created_by ? principal.user_id : null
  const known = await connections.listChoices(ctx.db, { project_id: key.project_id, user_id: owner })
  const isKept = ([slug, connection_id]: readonly [string, string]) =>
    before.some((one) => one.slug === slug && one.connection_id === connection_id)
  const changed = new Map([...chosen].filter((choice) => !isKept(choice)))
  requireChoices(changed, { usable: given, whose: 'the agent of this session', known })
  const own = known.filter(
    ({ connection_id, user_id }) => user_id !== null && [...chosen.values()].includes(connection_id),
  )
  const bound = given.map((slug) => ({ slug, connection_id: chosen.get(slug) ?? null }))
  await audited(
    ctx,
    {
      ...{ account_id: session.account_id, project_id: key.project_id, session_id: key.session_id },
      action: 'setSessionConnectors',
      target: `projects/${key.project_id}/sessions/${key.session_id}/connectors`,
      details: { connections: Object.fromEntries(chosen) },
    },
    async (tx) => {
      const written = await sessions.bindConnectors(tx, key, bound, {
        only_private: own.length > 0,
        updated_at: ctx.now(),
      })
      if (!written) throw sharedSession(own.map(({ slug }) => slug))
      if (own.length > 0) await personalSecrets.claimSession(tx, key.session_id)
      return null
    },
  )
  return shown(ctx, (await requireReader(ctx, key)).session)
}

/** A connection of its owner is named to the owner alone. */
async function shown(ctx: ReadContext, session: sessions.SessionView) {
  const { project_id, requested, created_by: user_id } = session
  const given = requested.connectors ?? []
  const viewer = actingUser(ctx.principal)
  const rows = new Map((await connectors.list(ctx.db, project_id)).map((row) => [row.slug, row]))
  const known = await connections.list(ctx.db, { project_id, user_id })
  return {
    connector_bindings: bindingsOf(
      new Map(
        given.flatMap(({ slug, connection_id }) =>
          connection_id === null ? [] : [[slug, connection_id] as const],
        ),
      ),
    ),
    connectors: given.map(({ slug }) => {
      const row = rows.get(slug)
      const found =
        row === undefined
          ? null
          : pickConnection(connectorOf(row), askingOf({ session, user_id }, slug), known, row.status)
      return {
        slug,
        name: row === undefined ? slug : connectorOf(row).name,
        status: row?.status ?? null,
        connected: found !== null && found.kind !== 'missing',
        connection:
          found?.kind === 'connection' && isShownTo(viewer, found.connection)
            ? {
                connection_id: found.connection.connection_id,
                label: found.connection.label,
                scope: scopeOf(found.connection),
              }
            : null,
        connect_url: connectUrl(ctx.settings, { project_id, slug }),
      }
    }),
  }
}

function isShownTo(viewer: string | null, { user_id }: Pick<ConnectionRow, 'user_id'>): boolean {
  return user_id === null || user_id === viewer
}

function sharedSession(slugs: readonly string[]): ServiceError {
  return new ServiceError(
    'PERSONAL_CONNECTOR_CONNECTION_REQUIRES_PRIVATE_SESSION',
    `This session is shared, so that it works with connections of the project alone: choose another one for ${slugs.join(', ')}, or make the session private first`,
    { connectors: slugs },
  )
}
