/** The paths of the authorization server. */
export const oauthPaths = {
  authorize: '/v1/oauth/authorize',
  token: '/v1/oauth/token',
  register: '/v1/oauth/register',
  revoke: '/v1/oauth/revoke',
  userinfo: '/v1/oauth/userinfo',
  keys: '/v1/oauth/keys',
  /** The path at which a device asks for a code. */
  device: '/v1/auth/device',
  /** The path at which a person types the code. */
  verify: '/v1/oauth/device',
  interaction: '/v1/oauth/interaction',
  end_session: '/v1/oauth/session/end',
} as const

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

export type OAuthRoute = 'authorize' | 'token' | 'register' | 'device' | 'verify' | 'interaction' | 'other'

const withBelow = [
  ['authorize', oauthPaths.authorize],
  ['verify', oauthPaths.verify],
  ['interaction', oauthPaths.interaction],
  ['other', oauthPaths.end_session],
] as const

const exact = [
  ['token', oauthPaths.token],
  ['register', oauthPaths.register],
  ['device', oauthPaths.device],
  ['other', oauthPaths.keys],
] as const

/** The part of the authorization server that a path belongs to; null for everything else. */
export function oauthRoute(path: string): OAuthRoute | null {
  for (const [route, at] of exact) if (path === at) return route
  for (const [route, at] of withBelow) if (path === at || path.startsWith(`${at}/`)) return route
  return null
}
