import { type EventOf, machine, type StateOf } from '@svc/machine'

/**
 * The verdict on a webhook's request. skip, fail: what its fire came to. `refused` and `deduped` are written as such, and
 * so is `skipped` where the filter sees at once that no fire is owed.
 */
export const deliveryMachine = machine({
  accepted: { skip: 'skipped', fail: 'failed' },
  refused: {},
  deduped: {},
  skipped: {},
  failed: {},
})

export type DeliveryVerdict = StateOf<typeof deliveryMachine>
export type DeliveryEvent = EventOf<typeof deliveryMachine>
