/** The part of the wire that a sandbox's daemon speaks: it starts with every session, and loads nothing else. */
export { boundedRequest } from './bounded-request.ts'
export { limits } from './limits.ts'
export * as monitorHost from './monitor-host.ts'
export * as sandboxIdentity from './sandbox-identity.ts'
export { TranscriptMessage } from './session-records.ts'
export { UserContext, userContextHeader, userContextQuery } from './user-context.ts'
