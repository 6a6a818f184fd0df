import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Client, type ConnectorAuthorization } from '@svc/sdk'
import type { Cli } from '../../cli.ts'
import { OperationError } from '../../failures.ts'
import { oneLine } from '../../output/plain.ts'
import { showPage } from '../../output/show-page.ts'

interface Place {
  readonly client: Client
  readonly project_id: string
  readonly slug: string
}

const everyMs = 1_000

/** Begins a sign-in at a service, shows its page, and waits until the person came back from it. */
export async function signIn(
  cli: Cli,
  place: Place,
  flags: { readonly personal?: true; readonly label?: string; readonly json?: true },
): Promise<void> {
  const { authorizations } = place.client.projects.connectors
  const begun = await begin(place, flags)
  const { authorization_id, authorization_url, issuer, expires_at } = begun
  cli.out.note(`Sign in at ${oneLine(issuer ?? place.slug)}:`)
  await showPage(cli, authorization_url ?? '')
  let seen = begun
  while (seen.status === 'pending' && Date.now() < Date.parse(expires_at)) {
    await sleep(everyMs)
    seen = await authorizations.get(place.project_id, place.slug, authorization_id)
  }
  const ended = await finish(place, seen)
  if (flags.json) return cli.out.json(ended)
  cli.out.line(`Connected ${place.slug}  ${ended.connection_id}`)
}

export function begin(
  { client, project_id, slug }: Place,
  flags: { readonly personal?: true; readonly label?: string },
): Promise<ConnectorAuthorization> {
  return client.projects.connectors.authorizations.begin(project_id, slug, {
    ...(flags.personal && { scope: 'personal' as const }),
    ...(flags.label !== undefined && { label: flags.label }),
  })
}

/** An aggregator knows by itself who signed in there, whether or not a browser came back. */
export async function askAggregator(
  { client, project_id, slug }: Place,
  seen: ConnectorAuthorization,
): Promise<ConnectorAuthorization> {
  if (seen.status !== 'pending' || seen.issuer !== null) return seen
  try {
    return await client.projects.connectors.authorizations.finish(project_id, slug, seen.authorization_id)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'conflict') return seen
    throw error
  }
}

/** The connection of a sign-in that came back. The dashboard may have been first. */
export async function finish(
  { client, project_id, slug }: Place,
  seen: ConnectorAuthorization,
): Promise<ConnectorAuthorization> {
  const { authorizations } = client.projects.connectors
  const ended =
    seen.status === 'returned' ? await authorizations.finish(project_id, slug, seen.authorization_id) : seen
  if (ended.status === 'connected') return ended
  const why =
    ended.error ?? (ended.status === 'pending' ? 'no browser came back in 10 minutes' : ended.status)
  throw new OperationError(`${slug} was not connected: ${oneLine(why)}`, `svc connectors connect ${slug}`)
}
