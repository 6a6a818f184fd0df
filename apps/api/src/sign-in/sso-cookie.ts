import { platformCookie } from '@svc/contract/preview'
import { oauthPaths } from '../oauth/paths.ts'

interface Settings {
  readonly api_url: string
}

/** Ties the answer of a provider to the browser that was sent there. */
export function ssoCookie({ api_url }: Settings) {
  const secure = api_url.startsWith('https:')
  return cookie('sso', secure, secure ? '/' : '/v1/auth/sso')
}

/** The result from a provider, for the one page of the authorization server that waits for it. */
export function ssoDoneCookie({ api_url }: Settings, interaction: string) {
  return cookie('sso_done', api_url.startsWith('https:'), `${oauthPaths.interaction}/${interaction}`)
}

function cookie(name: string, secure: boolean, path: string) {
  const options = { path, secure, httpOnly: true, sameSite: 'Lax', maxAge: 600 } as const
  return { name: platformCookie(name, { secure, path }), options }
}
