import { sql } from 'kysely'
import type { Suspension } from '../accounts/accounts.table.ts'
import type { Db } from '../database.ts'
import { type JsonRow, rowOfJson } from './json-row.ts'
import { prepared } from '../kit/prepared.ts'
import type { ProjectRow } from '../projects/projects.table.ts'
import { callColumnsOf } from './call-columns.ts'
import type { ConnectionRow, ConnectorActionRow, ConnectorCallRow, ConnectorRow } from './connectors.table.ts'

/** The parts that the gate decides by. */
export interface AskedParts {
  readonly connector: ConnectorRow
  readonly action: ConnectorActionRow | undefined
  /** The project's, and those of one person. */
  readonly connections: readonly ConnectionRow[]
}

interface AskedJson {
  readonly connector: JsonRow<ConnectorRow>
  readonly action: ConnectorActionRow | null
  readonly connections: readonly JsonRow<ConnectionRow>[]
}

/** The parts of a call that is asked for, in one statement; undefined where the project declares no such connector. */
export async function findAsked(
  db: Db,
  asked: {
    readonly project_id: string
    readonly slug: string
    readonly action: string
    /** The person whose own connections may be taken. */
    readonly owner: string | null
  },
): Promise<AskedParts | undefined> {
  const { project_id, slug, action, owner } = asked
  const { rows } = await sql<AskedJson>`${prepared}
    select row_to_json(connector) as connector, row_to_json(its_action) as action,
      (select coalesce(json_agg(row_to_json(c) order by c.created_at, c.connection_id), '[]')
        from connector_connections c
        where c.project_id = connector.project_id and c.slug = connector.slug
          and (c.user_id is null or c.user_id = ${owner}::uuid)) as connections
    from project_connectors connector left join connector_actions its_action
      on its_action.project_id = connector.project_id and its_action.slug = connector.slug and its_action.action = ${action}
    where connector.project_id = ${project_id} and connector.slug = ${slug}`.execute(db)
  const [found] = rows
  if (found === undefined) return undefined
  return {
    connector: rowOfJson<ConnectorRow>(found.connector, connectorTimes),
    action: found.action ?? undefined,
    connections: found.connections.map(connectionOf),
  }
}

/** The parts that an attempt is carried out by, as they are now. */
export interface CallParts {
  readonly call: ConnectorCallRow
  readonly project: ProjectRow
  /** Of the project's account. */
  readonly suspension: Suspension
  readonly connector: ConnectorRow | undefined
  readonly action: ConnectorActionRow | undefined
  readonly connection: ConnectionRow | undefined
}

interface PartsJson {
  readonly parts_project: JsonRow<ProjectRow>
  readonly parts_suspension: JsonRow<Suspension>
  readonly parts_connector: JsonRow<ConnectorRow> | null
  readonly parts_action: ConnectorActionRow | null
  readonly parts_connection: JsonRow<ConnectionRow> | null
}

/** The call with everything that it is about, in one statement. */
export async function findParts(db: Db, call_id: string): Promise<CallParts | undefined> {
  const { rows } = await sql<ConnectorCallRow & PartsJson>`${prepared}
    select ${callColumnsOf('call')}, row_to_json(project) as parts_project,
      (select row_to_json(account) from (select suspended_at, suspended_reason from accounts
        where accounts.account_id = project.account_id) account) as parts_suspension, row_to_json(connector) as parts_connector,
      row_to_json(its_action) as parts_action, row_to_json(connection) as parts_connection
    from connector_calls call join projects project on project.project_id = call.project_id
      left join project_connectors connector
        on connector.project_id = call.project_id and connector.slug = call.slug
      left join connector_actions its_action
        on its_action.project_id = call.project_id and its_action.slug = call.slug
          and its_action.action = call.action
      left join connector_connections connection
        on connection.project_id = call.project_id and connection.connection_id = call.connection_id
    where call.call_id = ${call_id}`.execute(db)
  const [found] = rows
  if (found === undefined) return undefined
  const { parts_project, parts_suspension, parts_connector, parts_action, parts_connection, ...call } = found
  return {
    call,
    project: rowOfJson<ProjectRow>(parts_project, projectTimes),
    suspension: rowOfJson<Suspension>(parts_suspension, suspensionTimes),
    connector:
      parts_connector === null ? undefined : rowOfJson<ConnectorRow>(parts_connector, connectorTimes),
    action: parts_action ?? undefined,
    connection: parts_connection === null ? undefined : connectionOf(parts_connection),
  }
}

const connectorTimes = { synced_at: true, sync_due_at: true } as const
const projectTimes = { created_at: true, updated_at: true, archived_at: true } as const
const suspensionTimes = { suspended_at: true } as const
const connectionTimes = { expires_at: true, last_used_at: true, created_at: true, updated_at: true } as const

const connectionOf = (json: JsonRow<ConnectionRow>): ConnectionRow =>
  rowOfJson<ConnectionRow>(json, connectionTimes)
