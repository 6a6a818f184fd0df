import type { RequestedSession, sessions, WaitingSession } from '@svc/db'
import type { FrozenHarness } from '@svc/harness'
import type { Power } from './power.ts'
import { lineOf } from '@svc/session'

export interface SessionRecordInput extends Pick<
  WaitingSession,
  'base_ref' | 'model' | 'name' | 'metadata' | 'origin' | 'origin_ref'
> {
  readonly labels?: readonly string[] | undefined
  /** The agent as the manifest declares it. */
  readonly agent: {
    readonly agent_name: string
    readonly skills?: 'all' | readonly string[]
    readonly runtime?: RequestedSession['runtime']
    readonly harness?: FrozenHarness
  }
  /** The power of its agent, narrowed already by the session that starts it. */
  readonly power: Power
  /** The session whose agent starts it. */
  readonly starter: sessions.SessionView | null
  readonly requested?: RequestedSession
}

/** The record of a new session, whether a create, a trigger or the host of monitors makes it. */
export function sessionRecord({
  agent: { agent_name, skills = 'all', runtime, harness },
  power: { grant, merge_granted, secrets: granted, connectors },
  starter,
  requested = {},
  labels = [],
  ...named
}: SessionRecordInput): WaitingSession {
  const secrets = secretsOf(granted, requested.secrets)
  return {
    ...named,
    agent_name,
    agent_grant: grant,
    merge_granted,
    labels,
    parent_session_id: starter?.session_id ?? null,
    ancestor_session_ids: starter === null ? [] : lineOf(starter),
    ...(harness === undefined ? {} : { harness }),
    requested: {
      ...requested,
      ...(secrets === undefined ? {} : { secrets }),
      ...(skills === 'all' ? {} : { skills }),
      ...(connectors.length === 0 ? {} : { connectors }),
      ...(runtime === undefined ? {} : { runtime }),
    },
  }
}

/** The creator's list narrows what the agent may have; it never widens it. */
function secretsOf(
  granted: Power['secrets'],
  asked: readonly string[] | undefined,
): readonly string[] | undefined {
  if (granted === 'all') return asked
  return granted.filter((name) => asked?.includes(name) ?? true)
}
