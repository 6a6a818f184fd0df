import type { EventPlace } from '@svc/sdk'

/** The id of a project, or of an account with the events of all its projects. */
export const idOf = (place: EventPlace): string =>
  'project_id' in place ? place.project_id : place.account_id

/** The address of the page of a place, below which are those of its subscriptions. */
export const pathOf = (place: EventPlace): string =>
  'project_id' in place ? `/projects/${place.project_id}/events` : `/accounts/${place.account_id}/events`
