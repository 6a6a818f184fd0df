import type { BaseContext } from '@svc/context'
import type { ConnectorCallRow, ProjectRow } from '@svc/db'
import { dataKey } from '@svc/services'
import type { DataKey } from '@svc/vault'

type Sealing = Pick<ProjectRow, 'project_id' | 'sealed_data_key'>

/** Arguments and results, under the project's key, each for its own call alone. */
export function sealBody(
  { vault }: Pick<BaseContext, 'vault'>,
  project: Sealing,
  { call_id }: Pick<ConnectorCallRow, 'call_id'>,
  part: 'request' | 'result',
  body: unknown,
): string {
  return vault.seal(key(vault, project), ['call', project.project_id, call_id, part], JSON.stringify(body))
}

export function openBody(
  { vault }: Pick<BaseContext, 'vault'>,
  project: Sealing,
  { call_id }: Pick<ConnectorCallRow, 'call_id'>,
  part: 'request' | 'result',
  sealed: string,
): unknown {
  return JSON.parse(vault.open(key(vault, project), ['call', project.project_id, call_id, part], sealed))
}

const key = (vault: BaseContext['vault'], project: Sealing): DataKey => dataKey(vault, project)
