import { liveSessionStatuses } from '@svc/facts'
import { literals } from './literals.ts'

/** `status in ${live}`: sessions that hold a sandbox, or are on the way to one. */
export const live = literals(liveSessionStatuses)
