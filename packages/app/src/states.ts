import { type EventOf, machine, type StateOf } from '@svc/machine'

/** A numbered build of one app from one commit. It never changes once it is ready. */
export const releaseMachine = machine({
  queued: { validate: 'validating', fail: 'failed', cancel: 'cancelled' },
  validating: { build: 'building', fail: 'failed', cancel: 'cancelled' },
  building: { provision: 'provisioning', fail: 'failed', cancel: 'cancelled' },
  provisioning: { check: 'checking', fail: 'failed', cancel: 'cancelled' },
  checking: { finish: 'ready', fail: 'failed', cancel: 'cancelled' },
  ready: {},
  failed: {},
  cancelled: {},
})

export type ReleaseStatus = StateOf<typeof releaseMachine>
export type ReleaseEvent = EventOf<typeof releaseMachine>

/** The states in which a release is worked on. */
export const openReleases = releaseMachine.from('fail')

/**
 * A move of a channel to a release: of a new one when it is ready, or back to an earlier one. `cancelled`: its app is not
 * to be shown any more.
 */
export const rolloutMachine = machine({
  pending: { start: 'starting', fail: 'failed', cancel: 'cancelled' },
  starting: { switch: 'switched', fail: 'failed', cancel: 'cancelled' },
  switched: { drain: 'drained' },
  drained: {},
  failed: {},
  cancelled: {},
})

export type RolloutStatus = StateOf<typeof rolloutMachine>
export type RolloutEvent = EventOf<typeof rolloutMachine>

/** A running copy of a release. `gone`: its provider has it no more, or it could not be reached for long. */
export const instanceMachine = machine({
  starting: { answer: 'healthy', drain: 'draining', fail: 'failed', lose: 'gone' },
  healthy: { drain: 'draining', fail: 'failed', lose: 'gone' },
  draining: { stop: 'stopped', lose: 'gone' },
  stopped: {},
  failed: {},
  gone: {},
})

export type InstanceState = StateOf<typeof instanceMachine>
export type InstanceEvent = EventOf<typeof instanceMachine>

/** The states of which a release has one instance at most. */
export const liveInstances = instanceMachine.from('drain')

/** The states in which an instance costs money. */
export const ownedInstances = instanceMachine.from('lose')

export const appTypes = ['static', 'bundle', 'dockerfile', 'oci_image'] as const
export type AppType = (typeof appTypes)[number]

export const accessModes = ['private', 'project', 'restricted', 'public', 'password'] as const
export type AccessMode = (typeof accessModes)[number]

export const desiredStates = ['serving', 'stopped'] as const
export type DesiredState = (typeof desiredStates)[number]

export const channelKinds = ['production', 'preview'] as const
export type ChannelKind = (typeof channelKinds)[number]

export const releaseSources = ['merge', 'manual', 'preview'] as const
export type ReleaseSource = (typeof releaseSources)[number]

export const rolloutKinds = ['release', 'rollback'] as const
export type RolloutKind = (typeof rolloutKinds)[number]

/** The parts of a release that can be at fault. */
export const failureCategories = [
  'config',
  'build',
  'image',
  'start',
  'readiness',
  'budget',
  'capacity',
  'worker',
] as const
export type FailureCategory = (typeof failureCategories)[number]

export interface ReleaseFailure {
  /** The state that it failed in. */
  readonly step: ReleaseStatus
  readonly category: FailureCategory
  readonly message: string
  /** True where the same again may succeed. */
  readonly retryable: boolean
}

export const lineSources = ['build', 'app', 'platform'] as const
export type LineSource = (typeof lineSources)[number]

export const lineStreams = ['stdout', 'stderr'] as const
export type LineStream = (typeof lineStreams)[number]

export const appStates = [
  'undeclared',
  'unreleased',
  'stopped',
  'asleep',
  'starting',
  'serving',
  'failed',
  'over_budget',
] as const
export type AppState = (typeof appStates)[number]

export const appEventTypes = [
  'app.declared',
  'app.undeclared',
  'app.release.queued',
  'app.release.started',
  'app.release.ready',
  'app.release.failed',
  'app.release.cancelled',
  'app.switched',
  'app.woke',
  'app.slept',
  'app.crashed',
  'app.budget',
  'app.stopped',
  'app.started',
  'app.policy_changed',
  'app.preview.opened',
  'app.preview.closed',
] as const
export type AppEventType = (typeof appEventTypes)[number]
