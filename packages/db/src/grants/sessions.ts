import type { Database } from '../database.ts'
import type { ServiceGrants } from './services.ts'

type SessionTable = Extract<
  Exclude<keyof Database, 'session_presence'>,
  `session_${string}` | `event_archive${string}` | 'project_sessions' | 'event_partitions' | 'archive_objects'
>

/** Rights on sessions, and on what they say and leave behind. */
export const sessionGrants: Readonly<Record<SessionTable, ServiceGrants>> = {
  project_sessions: {
    api: 'raw',
    scheduler: 'rawd',
    merge: 'rw(last_event_seq)',
    sandbox: 'rw',
    gateway: 'r',
    executor: 'rw',
    channel: 'raw',
  },
  session_idempotency_keys: { api: 'ra' },
  session_sandboxes: {
    api: 'raw',
    scheduler: 'raw',
    merge: 'r',
    sandbox: 'rw',
    gateway: 'o',
    executor: 'rw',
    channel: 'raw',
  },
  session_prompts: {
    api: 'raw',
    scheduler: 'rawd',
    merge: 'r(session_id,state,created_at,updated_at,position)',
    sandbox: 'rw',
    gateway: 'r(prompt_id,session_id,state,traceparent,created_at,updated_at,position)',
    executor: 'ra',
    channel: 'raw',
  },
  session_events: {
    api: 'ra',
    scheduler: 'rad',
    merge: 'r(session_id,seq)',
    sandbox: 'ra',
    executor: 'ra',
    channel: 'ra',
  },
  session_asks: {
    api: 'raw',
    scheduler: 'raw',
    sandbox: 'raw',
    executor: 'raw',
    channel: 'raw',
  },
  session_runtimes: {
    api: 'raw',
    scheduler: 'ra',
    merge: 'r',
    sandbox: 'raw',
    gateway: 'r',
    executor: 'r',
    channel: 'ra',
  },
  event_partitions: { api: 'r', scheduler: 'rw' },
  archive_objects: { api: 'ra', scheduler: 'rawd', merge: 'ra' },
  event_archives: { api: 'r', scheduler: 'rad', merge: 'r(session_id,last_seq)', sandbox: 'r', channel: 'r' },
  event_archive_drafts: { scheduler: 'rad' },
  session_claims: { api: 'r', scheduler: 'r', merge: 'r', sandbox: 'raw', channel: 'r' },
  session_creates: {
    api: 'rad',
    scheduler: 'rd',
    merge: 'r(position)',
    sandbox: 'r',
    executor: 'r(account_id)',
    channel: 'rad',
  },
  session_branches: { api: 'r(session_id)a', scheduler: 'raw' },
  session_pushes: { api: 'ra', merge: 'r' },
  session_previews: { api: 'rawd', scheduler: 'rdl' },
}
