import type { SealedPlace } from '@svc/context'
import { identityPlaces } from '@svc/identity/sealed-places'
import { servicePlaces } from '@svc/services/sealed-places'

/**
 * Every column that holds a data key, so that a new master key changes these rows alone. A test dumps a database that
 * holds something of everything and finds no other.
 */
export const sealedPlaces: readonly SealedPlace[] = [...servicePlaces, ...identityPlaces]
