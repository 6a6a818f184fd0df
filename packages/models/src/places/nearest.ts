import { ownProvider } from '../names/model-name.ts'

/** The places that decide about models, the nearest to a call first. */
export const nearestFirst = ['project', 'account', 'operator'] as const
export type ModelPlace = (typeof nearestFirst)[number]

export interface PlacedProvider {
  readonly scope: ModelPlace
  readonly slug: string
}

/** Each slug once: a nearer place hides a farther one whole. The platform's own comes first. */
export function nearestProviders<P extends PlacedProvider>(providers: readonly P[]): P[] {
  const farthestFirst = nearestFirst.toReversed()
  const nearest = new Map(
    farthestFirst
      .flatMap((place) => providers.filter(({ scope }) => scope === place))
      .map((provider) => [provider.slug, provider] as const),
  )
  return [...nearest.values()].sort((a, b) => rank(a).localeCompare(rank(b), 'en'))
}

/** Sorts before every slug. */
function rank({ slug }: PlacedProvider): string {
  return slug === ownProvider ? '' : slug
}
