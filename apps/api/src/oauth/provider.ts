import type { Logger } from '@svc/boot'
import { platformCookie } from '@svc/contract/preview'
import {
  commandLineClient,
  commandLineName,
  dashboardClient,
  findOAuthPerson,
  loadOAuthKeys,
  oauthLifetimes,
  oauthScopes,
  oauthStore,
  type OAuthContext,
} from '@svc/identity'
import type { ClientMetadata, Configuration } from 'oidc-provider'
import type Provider from 'oidc-provider'
import { adapterFor } from './adapter.ts'
import { deviceFlow } from './device-flow.ts'
import { oauthLibrary } from './library.ts'
import { dashboardMetadata } from './own-pages.ts'
import { messagePage, pageHeaders } from './pages.ts'
import { deviceGrant, oauthPaths } from './paths.ts'
import { writeOurTokens } from './tokens.ts'

/** Waits on this computer's own port, or has the person type a code elsewhere. */
const commandLine: ClientMetadata = {
  client_id: commandLineClient,
  client_name: commandLineName,
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token', deviceGrant],
}

export interface ProviderParts extends OAuthContext {
  readonly log: Logger
}

/** Adds the seconds that a device waits between two questions, which the library leaves out. */
const addInterval: Parameters<Provider['use']>[0] = async (c, next) => {
  await next()
  const body: unknown = c.body
  if (typeof body === 'object' && body !== null && 'device_code' in body) c.body = { ...body, interval: 5 }
}

/**
 * A code that is sent by a browser without the session of the page: the library fails to save a session that does not
 * exist.
 */
const refuseLostPages: Parameters<Provider['use']>[0] = async (c, next) => {
  try {
    await next()
  } catch (error) {
    const lost = error instanceof TypeError && error.message.includes('previously persisted')
    if (!lost || c.path !== oauthPaths.verify) throw error
    c.set(pageHeaders())
    c.status = 400
    c.body = messagePage('This page is no longer open', 'Open the address that your device shows once more.')
  }
}

/** The protocol itself is the library's; what it keeps, shows and lets through is decided here. */
export async function createProvider(ctx: ProviderParts, issuer: string): Promise<Provider> {
  const [library, keys] = await Promise.all([oauthLibrary(), loadOAuthKeys(ctx)])
  const secure = issuer.startsWith('https:')
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, secure } as const
  // Browsers hold a cookie to one origin by its name, if it is of the whole origin. The cookies of a page belong to it
  // alone.
  const whole = { secure, path: secure ? '/' : '/v1/oauth' }
  const ofPage = { secure, path: oauthPaths.interaction }
  const { access_token, refresh_token, dashboard_refresh_token, code, device_code, interaction } =
    oauthLifetimes
  const { session, approval } = oauthLifetimes
  const configuration: Configuration = {
    adapter: adapterFor(ctx, oauthStore(ctx, keys), library),
    clients: [commandLine, dashboardMetadata(issuer)],
    // A browser names its origin with every POST. Pages of other origins are no clients of the dashboard's name.
    clientBasedCORS: (_, origin, { clientId }) =>
      clientId === dashboardClient && origin === new URL(issuer).origin,
    // Every client is public: none holds a secret that would be worth the name.
    clientAuthMethods: ['none'],
    clientDefaults: {
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
    jwks: { keys: keys.signing_keys },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    cookies: {
      keys: keys.cookie_keys,
      names: {
        session: platformCookie('oauth', whole),
        interaction: platformCookie('oauth_page', ofPage),
        resume: platformCookie('oauth_resume', ofPage),
      },
      long: { ...cookie, path: whole.path },
      short: cookie,
    },
    scopes: [...oauthScopes],
    claims: {},
    responseTypes: ['code'],
    pkce: { required: () => true },
    rotateRefreshToken: () => true,
    issueRefreshToken: (_, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
    expiresWithSession: () => Promise.resolve(false),
    // Every approval is a family of its own, asked for each time.
    loadExistingGrant: (c) => {
      const id = c.oidc.result?.consent?.grantId
      return id === undefined ? Promise.resolve(undefined) : c.oidc.provider.Grant.find(id)
    },
    async findAccount(_, sub) {
      const person = await findOAuthPerson(ctx, sub)
      return person === null ? undefined : { accountId: sub, claims: () => ({ sub }) }
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      // There is one resource here: a token that names another is of no use anywhere else.
      resourceIndicators: { enabled: false },
      registration: { enabled: true, idFactory: () => ctx.newId(), issueRegistrationAccessToken: false },
      deviceFlow,
    },
    interactions: { url: (_, { uid }) => `${oauthPaths.interaction}/${uid}` },
    routes: {
      authorization: oauthPaths.authorize,
      token: oauthPaths.token,
      registration: oauthPaths.register,
      jwks: oauthPaths.keys,
      device_authorization: oauthPaths.device,
      code_verification: oauthPaths.verify,
      end_session: oauthPaths.end_session,
    },
    ttl: {
      AccessToken: access_token,
      RefreshToken: (_, __, { clientId }) =>
        clientId === dashboardClient ? dashboard_refresh_token : refresh_token,
      AuthorizationCode: code,
      DeviceCode: device_code,
      Interaction: interaction,
      Session: session,
      Grant: approval,
    },
    renderError(c, { error, error_description = '' }) {
      c.set(pageHeaders())
      c.body = messagePage(
        'This did not work',
        `${error}: ${error_description}. Go back to the app and start again.`,
      )
    },
  }
  const provider = new library.Provider(issuer, configuration)
  // The address is the configured one, whatever a request says; see `serve.ts`.
  provider.proxy = true
  provider.on('server_error', (_, err) => ctx.log.error({ err }, 'the authorization server failed'))
  provider.onerror = (err: Error) => ctx.log.error({ err }, 'the authorization server failed')
  provider.use(addInterval)
  provider.use(refuseLostPages)
  writeOurTokens(provider)
  return provider
}
