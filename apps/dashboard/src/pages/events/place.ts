import type { Capability } from '@svc/facts'
import type { EventPlace } from '@svc/sdk'

/** The id of a project, or of an account with the events of all its projects. */
export const idOf = (place: EventPlace): string =>
  'project_id' in place ? place.project_id : place.account_id

/** The address of the page of a place, or of one of its subscriptions. */
export function pathOf(place: EventPlace, subscription_id?: string): string {
  const above = 'project_id' in place ? `/projects/${place.project_id}` : `/accounts/${place.account_id}`
  return subscription_id === undefined ? `${above}/events` : `${above}/events/${subscription_id}`
}

/** The capability that a subscription of a project is changed with; those of an account are its admins' alone, as their page. */
export const writes: Capability = 'project.connector.write'
