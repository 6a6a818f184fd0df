import type { IdentityBase } from '../../context.ts'

/** The URL where a browser begins. */
export function ssoUrl({ settings }: Pick<IdentityBase, 'settings'>, provider: string): string {
  return `${settings.api_url}/auth/sso/${provider}`
}

/** The URL that the provider sends it back to. */
export function callbackOf(ctx: Pick<IdentityBase, 'settings'>, provider: string): string {
  return `${ssoUrl(ctx, provider)}/callback`
}
