import type { ProjectRow } from '@svc/db'
import type { DataKey, Vault } from '@svc/vault'

type Sealing = Pick<ProjectRow, 'project_id' | 'sealed_data_key'>

export const projectPlace = (project_id: string): readonly string[] => [project_id]

/** A random key for one project, wrapped by the operator's master key. */
export function newDataKey(vault: Vault, project_id: string): string {
  return vault.createDataKey(projectPlace(project_id)).sealed
}

export function dataKey(vault: Vault, project: Sealing): DataKey {
  return vault.openDataKey(project.sealed_data_key, projectPlace(project.project_id))
}

/** Seals text for one name of one project; it opens for no other. */
export function sealFor(vault: Vault, project: Sealing, name: string, plaintext: string): string {
  return vault.seal(dataKey(vault, project), [project.project_id, name], plaintext)
}

export function openSealed(vault: Vault, project: Sealing, name: string, sealed: string): string {
  return vault.open(dataKey(vault, project), [project.project_id, name], sealed)
}
