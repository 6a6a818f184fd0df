import type { IncomingMessage, ServerResponse } from 'node:http'
import { statusOf } from '@svc/errors'
import type Provider from 'oidc-provider'
import { type Dialect, oauth } from '../door/dialects.ts'
import { type DoorOptions, setHeaders, throughDoor } from '../door/door.ts'
import type { RequestLimits } from '../door/request-limits.ts'
import { pathOf } from '../door/visit.ts'
import type { ApiParts } from '../parts.ts'
import { answerPageClosed, serveInteraction } from './interaction.ts'
import { issuerOf } from './issuer.ts'
import { countOAuth } from './limits.ts'
import { messagePage, pageHeaders, plainHeaders } from './pages.ts'
import { type OAuthRoute, oauthPaths } from './paths.ts'
import { createProvider } from './provider.ts'

/** The authorization server, on Node's own request: its library has a framework of its own. */
export function oauthServer(parts: ApiParts, limited: RequestLimits) {
  const issuer = issuerOf(parts)
  let provider: Promise<Provider> | undefined
  const load = () =>
    (provider ??= createProvider(parts, issuer).catch((error: unknown) => {
      // The database was away: the next request tries again.
      provider = undefined
      throw error
    }))

  const doorTo = (route: OAuthRoute) => {
    const isPage = route === 'interaction' || route === 'verify' || route === 'authorize'
    const options: DoorOptions = {
      route: patterns[route],
      dialect: isPage ? page : oauth,
      limit: ({ address, method }) => countOAuth(limited, route, method, address),
    }
    return throughDoor(parts, limited, options, async ({ log, trail, address }, req, res) => {
      const server = await load()
      if (route === 'interaction')
        return serveInteraction(server, { ...parts, log, trail }, req, res).catch((error: unknown) => {
          if (!isExpired(error) || res.headersSent) throw error
          answerPageClosed(res)
        })
      behindOurAddress(req, issuer, address)
      if (route === 'authorize') askForSomething(req)
      setHeaders(res, plainHeaders)
      await server.callback()(req, res)
    })
  }

  return (route: OAuthRoute, req: IncomingMessage, res: ServerResponse) => doorTo(route)(req, res)
}

const patterns: Readonly<Record<OAuthRoute, string>> = {
  authorize: oauthPaths.authorize,
  token: oauthPaths.token,
  register: oauthPaths.register,
  device: oauthPaths.device,
  verify: oauthPaths.verify,
  interaction: `${oauthPaths.interaction}/:uid`,
  other: '/v1/oauth/*',
}

/** A refusal that a person reads in a browser. */
const page: Dialect = {
  headers: pageHeaders(),
  challenge: 'Bearer',
  refusal: ({ code, message }) =>
    messagePage(statusOf(code) === 429 ? 'Too many attempts' : 'This did not work', message),
  defect: messagePage('This did not work', 'Something went wrong; try again'),
}

/** The library asks a proxy's headers where it is: it hears the configured address, and the client that we believe. */
function behindOurAddress(req: IncomingMessage, issuer: string, ip: string | null): void {
  const { protocol, host } = new URL(issuer)
  req.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  req.headers['x-forwarded-host'] = host
  if (ip === null) delete req.headers['x-forwarded-for']
  else req.headers['x-forwarded-for'] = ip
}

/** An app that asks for no scope asks for all of them, and the person sees it. */
function askForSomething(req: IncomingMessage): void {
  if (pathOf(req) !== oauthPaths.authorize || req.method !== 'GET') return
  const query = new URLSearchParams((req.url ?? '').split('?')[1])
  if (query.has('scope') || !query.has('client_id')) return
  query.set('scope', 'svc')
  req.url = `${oauthPaths.authorize}?${query.toString()}`
}

/** The cookie of the page is missing or belongs to another one. */
function isExpired(error: unknown): boolean {
  return error instanceof Error && error.name === 'SessionNotFound'
}
