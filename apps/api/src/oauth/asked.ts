import { oauthScopes } from '@svc/identity'
import type Provider from 'oidc-provider'
import { isOwnPage } from './own-pages.ts'
import type { Asking } from './pages.ts'

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** The app that asks, in words for a person. */
export async function askingOf(provider: Provider, { params }: Interaction): Promise<Asking> {
  const client_id = textOf(params, 'client_id')
  const client = await provider.Client.find(client_id)
  const redirect_uri = textOf(params, 'redirect_uri')
  return {
    client_name: client?.clientName ?? client_id,
    redirect_uri: redirect_uri === '' ? null : redirect_uri,
    own: isOwnPage(provider.issuer, client_id, redirect_uri),
  }
}

/** The requested scopes that exist. */
export function scopesOf({ params }: Interaction): readonly string[] {
  const asked = textOf(params, 'scope').split(' ')
  return oauthScopes.filter((scope) => asked.includes(scope))
}

export function textOf(params: Readonly<Record<string, unknown>>, name: string): string {
  const value = params[name]
  return typeof value === 'string' ? value : ''
}
