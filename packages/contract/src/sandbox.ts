/** The part of the wire that a sandbox's daemon speaks: it starts with every session, and loads nothing else. */
export { boundedRequest } from './kit/bounded-request.ts'
export { limits } from './kit/limits.ts'
export * as monitorHost from './nouns/monitor-host.ts'
export * as sandboxIdentity from './nouns/sandbox-identity.ts'
export { TranscriptMessage } from './nouns/session-records.ts'
export { UserContext, userContextHeader, userContextQuery } from './nouns/user-context.ts'
