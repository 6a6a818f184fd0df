import type { ApiParts } from '../parts.ts'

/** The issuer of the tokens: the public address of the platform, without `/v1`. */
export function issuerOf({ settings }: Pick<ApiParts, 'settings'>): string {
  return settings.api_url.replace(/\/v1$/, '')
}
