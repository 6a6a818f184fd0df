import type { Session } from '@svc/sdk'

/** The channel by whose thread a session began; null for another, and where its record does not say. */
export function channelOf({ origin, metadata }: Pick<Session, 'origin' | 'metadata'>): string | null {
  if (origin !== 'channel') return null
  const { slug }: { readonly slug?: unknown } = Object(metadata['channel'])
  return typeof slug === 'string' && slug !== '' ? slug : null
}
