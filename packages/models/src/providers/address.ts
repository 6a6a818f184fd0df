const anthropicVersion = '2023-06-01'

/** The base of a provider's routes. Anthropic's is given with its version or without. */
export function providerAddress({
  base_url,
  kind,
}: {
  readonly base_url: string
  readonly kind: string
}): string {
  const base = base_url.replace(/\/+$/, '')
  return kind === 'anthropic' && !/\/v\d+$/.test(base) ? `${base}/v1` : base
}

/** The headers by which a provider knows its caller. */
export function providerAuthorization(
  { kind }: { readonly kind: string },
  secret: string | null,
): Readonly<Record<string, string>> {
  if (kind === 'anthropic')
    return { 'anthropic-version': anthropicVersion, ...(secret === null ? {} : { 'x-api-key': secret }) }
  return secret === null ? {} : { authorization: `Bearer ${secret}` }
}
