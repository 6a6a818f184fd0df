import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError, statusOf } from '@svc/errors'
import { newTrail } from '@svc/services'
import type Provider from 'oidc-provider'
import { clientAddress, noProxy } from '../middleware/client-address.ts'
import { ClientLeft } from '../middleware/client-left.ts'
import { refusalOf } from '../middleware/refusal.ts'
import type { ApiParts } from '../parts.ts'
import { retryHeaders } from '../rate-limit/headers.ts'
import type { RequestLimits } from '../rate-limit/request-limits.ts'
import { answerJson, refusalAnswer } from '../raw/answer-json.ts'
import { openExchange, pathOf, setHeaders } from '../raw/exchange.ts'
import { gone, serveInteraction } from './interaction.ts'
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

  return async (route: OAuthRoute, req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const exchange = openExchange(parts, patterns[route], req, res)
    const ip = clientAddress(req, parts.is_proxy ?? noProxy)
    const page = route === 'interaction' || route === 'verify' || route === 'authorize'
    try {
      setHeaders(res, await countOAuth(limited, route, req.method ?? 'GET', ip))
      const server = await load()
      if (route === 'interaction') {
        const trail = newTrail(exchange.request_id, ip)
        return await serveInteraction(server, { ...parts, log: exchange.log, trail }, req, res)
      }
      behindOurAddress(req, issuer, ip)
      if (route === 'authorize') askForSomething(req)
      for (const [name, value] of Object.entries(plainHeaders)) res.setHeader(name, value)
      await server.callback()(req, res)
    } catch (error) {
      if (error instanceof ClientLeft || exchange.signal.aborted) return
      if (res.headersSent) return void res.destroy()
      if (isExpired(error)) return gone(res)
      const refusal = refusalOf(error)
      if (!refusal) exchange.log.error({ err: error }, 'the authorization server failed')
      const shown = refusal ?? new ServiceError('temporarily_unavailable', 'Something went wrong; try again')
      if (page) return answerPage(res, shown)
      const { code, message: error_description } = shown
      const answer = refusalAnswer(shown)
      // The sign-in answers in its own protocol's shape.
      const own = code === 'over_request_rate_limit'
      answerJson(res, own ? { ...answer, body: { error: code, error_description } } : answer)
    }
  }
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

function answerPage(res: ServerResponse, refusal: ServiceError): void {
  const status = statusOf(refusal.code)
  const title = status === 429 ? 'Too many attempts' : 'This did not work'
  res
    .writeHead(status, { ...retryHeaders(refusal), ...pageHeaders() })
    .end(messagePage(title, refusal.message))
}

/** The library asks a proxy's headers where it is: it hears the configured address, and the client that we believe. */
function behindOurAddress(req: IncomingMessage, issuer: string, ip: string | null): void {
  const { protocol, host } = new URL(issuer)
  req.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  req.headers['x-forwarded-host'] = host
  if (ip === null) delete req.headers['x-forwarded-for']
  else req.headers['x-forwarded-for'] = ip
}

/** Who asks for nothing in particular asks for all there is, and the person sees it. */
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
