import { appFamilies } from './app-families.ts'
import { channelFamilies } from './channel-families.ts'
import { folderFamilies } from './folder-families.ts'
import { gatewayFamilies } from './gateway-families.ts'
import {
  counter,
  gauge,
  histogram,
  type MetricFamily,
  ofRequests,
  ofWork,
  ownedBy,
  services,
} from './metric-family.ts'

/** Each family by its name: its labels, its help, and the question of an operator that it answers. */
const families = {
  ...ownedBy(services, {
    svc_build_info: gauge(
      ['version', 'commit', 'schema'],
      'Always 1; the labels name the build and the newest schema that it knows.',
      'What runs where?',
    ),
    svc_db_pool_connections: gauge(
      ['pool', 'state'],
      'Connections to PostgreSQL, and callers that wait for one.',
      'Is the pool the bottleneck?',
      { pool: ['main', 'locks'], state: ['active', 'idle', 'waiting'] },
    ),
    svc_db_pool_wait_seconds: histogram(
      ['pool'],
      'Time that a caller waited for a connection to PostgreSQL.',
      'Is the pool the bottleneck?',
      ofRequests,
      { pool: ['main', 'locks'] },
    ),
  }),
  ...ownedBy(['api'], {
    svc_http_request_duration_seconds: histogram(
      ['method', 'route', 'status'],
      'Time until the answer of a request ended, by route pattern.',
      'Is the API slow or failing?',
      ofRequests,
    ),
    svc_http_requests_in_flight: gauge(
      ['method'],
      'Requests that are not answered to their end; open event streams count.',
      'Is the API slow or failing?',
    ),
    svc_sse_streams: gauge(['kind'], 'Event streams that are open.', 'How many people watch?', {
      kind: ['session'],
    }),
    svc_turn_duration_seconds: histogram(
      ['outcome'],
      'Time from the start of a turn of an agent to its end.',
      'Are agents working?',
      ofWork,
      { outcome: ['completed', 'error', 'aborted', 'interrupted'] },
    ),
    svc_harness_starts_total: counter(
      ['harness'],
      'Processes of agents by the Agent Client Protocol that came up.',
      'Do agents come up, and die again?',
    ),
    svc_harness_ready_seconds: histogram(
      ['harness'],
      'Time from the start of an agent’s process until its session was open.',
      'Which agents are slow to start?',
      ofWork,
    ),
    svc_harness_first_token_seconds: histogram(
      ['harness'],
      'Time from a prompt to the first word or tool of its agent.',
      'Which agents are slow to answer?',
      ofWork,
    ),
    svc_harness_turns_total: counter(
      ['harness', 'stop_reason'],
      'Turns of agents that ended, by the reason that the agent gave.',
      'Are turns cut off?',
    ),
    svc_harness_silences_total: counter(
      ['harness'],
      'Times that an agent gave no sign of life for half of what is allowed.',
      'Do agents hang?',
    ),
    svc_harness_unread_total: counter(
      ['harness', 'kind'],
      'Updates of a kind that is not known, and lines that are no message, that agents wrote.',
      'Does an agent speak a newer protocol, or print where it should not?',
      { kind: ['update', 'line'] },
    ),
    svc_webhook_deliveries_total: counter(
      ['outcome'],
      'Deliveries to the webhooks of triggers.',
      'Which deliveries are refused?',
      { outcome: ['fired', 'queued', 'skipped', 'deduped', 'refused', 'failed'] },
    ),
  }),
  ...ownedBy(['scheduler'], {
    svc_queue_jobs: gauge(['queue', 'state'], 'Jobs in the queue.', 'Do workers keep up?'),
    svc_queue_oldest_seconds: gauge(
      ['queue', 'state'],
      'Age of the oldest job of that state.',
      'Do workers keep up?',
    ),
    svc_owed_rows: gauge(['work'], 'Rows that are owed work.', 'Is anything stuck, whatever the queue says?'),
    svc_owed_oldest_seconds: gauge(
      ['work'],
      'Time since the oldest row that is owed work was last written.',
      'Is anything stuck, whatever the queue says?',
    ),
    svc_sessions: gauge(
      ['status'],
      'Sessions that are waiting, provisioning or running.',
      'How many, in which state?',
    ),
    svc_sandboxes: gauge(
      ['provider', 'state'],
      'Sandboxes of sessions that hold a machine or are owed their end.',
      'What do machines hold?',
    ),
    svc_sweep_duration_seconds: histogram(
      ['sweep'],
      'Time of one look of a sweep.',
      'What does idling cost?',
      ofRequests,
    ),
    svc_sweep_rows_total: counter(
      ['sweep'],
      'Rows that a sweep found and acted on.',
      'What does idling cost?',
    ),
    svc_trigger_lag_seconds: gauge(
      [],
      'Time that the oldest due trigger or owed fire has waited.',
      'Do triggers fire in time?',
    ),
    svc_maintenance: gauge(['mode'], '1 for the mode of maintenance that is on.', 'Are we closed?'),
    svc_event_archive_bytes: gauge(
      ['store'],
      'Bytes of sealed events outside PostgreSQL.',
      'How fast does it grow?',
    ),
    svc_repository_bytes: gauge(['store'], 'Bytes of managed repositories.', 'How fast does it grow?'),
    svc_backup_last_success_timestamp_seconds: gauge(
      [],
      'Unix time at which the last backup ended well; 0 when none is known.',
      'Could we restore?',
    ),
    svc_schema_drifted_migrations: gauge(
      [],
      'Migrations that ran with other statements than this build holds.',
      'Is the schema the one that the release was tested with?',
    ),
    svc_model_breakers: gauge(
      ['state'],
      'Ways to keys of model providers that failed five times within a minute.',
      'Is a model provider away?',
      { state: ['open', 'half_open'] },
    ),
  }),
  ...ownedBy(['executor', 'merge-worker', 'sandbox-worker', 'channel-worker'], {
    svc_job_duration_seconds: histogram(
      ['queue', 'job', 'outcome'],
      'Time of one attempt at a job.',
      'Which job fails or drags?',
      ofWork,
      { outcome: ['done', 'failed'] },
    ),
    svc_claims_taken_over_total: counter(
      ['work'],
      'Work that was taken over from a worker that gave no sign of life.',
      'Do workers die in the middle?',
    ),
  }),
  ...ownedBy(['sandbox-worker'], {
    svc_session_start_seconds: histogram(
      ['provider', 'kind'],
      'Time from the wish for a sandbox to a session that runs.',
      'How long until an agent works?',
      ofWork,
      { kind: ['cold', 'warm', 'resume'] },
    ),
    svc_warm_pool: gauge(['provider', 'state'], 'Sandboxes made ahead.', 'What do machines hold?'),
    svc_warm_pool_takes_total: counter(
      ['outcome'],
      'Starts that could have taken a sandbox made ahead.',
      'Is the pool big enough?',
      { outcome: ['hit', 'miss'] },
    ),
    svc_harness_installs_total: counter(
      ['harness', 'outcome'],
      'Attempts to install the program of an agent.',
      'Can agents be installed?',
    ),
    svc_prompt_delivery_seconds: histogram(
      ['outcome'],
      'Time from the wish for a prompt to its delivery or refusal.',
      'Are prompts delivered?',
      ofWork,
      { outcome: ['delivered', 'failed'] },
    ),
  }),
  ...ownedBy(['api', 'scheduler'], {
    svc_trigger_fires_total: counter(
      ['type', 'status'],
      'Occurrences of triggers that came to their end.',
      'Do triggers fire in time?',
    ),
  }),
  ...ownedBy(['sandbox-worker', 'scheduler'], {
    svc_session_failures_total: counter(
      ['category'],
      'Sessions that ended as failed.',
      'Why do sessions fail?',
    ),
  }),
  ...ownedBy(['merge-worker'], {
    svc_merge_duration_seconds: histogram(
      ['outcome'],
      'Time from the wish for a merge to its outcome.',
      'Do merges go through?',
      ofWork,
      { outcome: ['merged', 'conflict', 'refused', 'stale', 'failed'] },
    ),
  }),
  ...ownedBy(['api', 'executor'], {
    svc_connector_calls_total: counter(
      ['provider', 'outcome'],
      'Calls of connectors by how they ended, or that they wait for a person.',
      'Are calls of other services failing, or waiting?',
    ),
  }),
  ...ownedBy(['executor'], {
    svc_connector_call_seconds: histogram(
      ['provider'],
      'Time of a call of a connector that was carried out.',
      'Is another service slow?',
      ofWork,
    ),
    svc_connector_repairs_total: counter(
      ['repair'],
      'Calls of connectors that a sweep took up after a process died.',
      'Do executors die in the middle of their work?',
      { repair: ['release', 'after_send', 'delivery'] },
    ),
    svc_connector_calls_waiting: gauge(
      ['state'],
      'Calls that wait for people.',
      'Do people decide in time?',
      {
        state: ['awaiting_approval', 'unknown'],
      },
    ),
  }),
  ...gatewayFamilies,
  ...appFamilies,
  ...channelFamilies,
  ...ownedBy(['api', 'executor', 'sandbox-worker', 'scheduler', 'channel-worker'], {
    svc_events_total: counter([], 'Events of sessions that were stored.', 'How fast does it grow?'),
  }),
  ...folderFamilies,
}

export type MetricName = keyof typeof families
export type LabelsOf<N extends MetricName> = (typeof families)[N]['labels'][number]
/** The names of one type. */
export type NameOf<T extends MetricFamily['type']> = {
  [N in MetricName]: (typeof families)[N]['type'] extends T ? N : never
}[MetricName]

/** Every family that the platform measures: the registry, docs/metrics.md, the alerts and the dashboards follow it. */
export const metricsCatalogue: readonly MetricFamily[] = Object.entries(families).map(([name, family]) => ({
  name,
  ...family,
}))
