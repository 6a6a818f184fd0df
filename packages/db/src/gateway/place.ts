import type { ProviderScope } from '../spend/calls.table.ts'

/** The place that holds providers, prices and settings of models: the nearest decides. */
export type GatewayPlace =
  | { readonly scope: 'operator' }
  | { readonly scope: 'account'; readonly account_id: string }
  | { readonly scope: 'project'; readonly project_id: string }

export interface PlaceColumns {
  readonly scope: ProviderScope
  readonly account_id: string | null
  readonly project_id: string | null
}

/** The columns that name a place in each of the tables. */
export function placeColumns(place: GatewayPlace): PlaceColumns {
  return {
    scope: place.scope,
    account_id: place.scope === 'account' ? place.account_id : null,
    project_id: place.scope === 'project' ? place.project_id : null,
  }
}
