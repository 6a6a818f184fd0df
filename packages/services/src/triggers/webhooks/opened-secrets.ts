import type { Vault } from '@svc/vault'
import { openSealed } from '../../projects/project-vault.ts'

const maxOpened = 500
const opened = new WeakMap<Vault, Map<string, string>>()

/** The same as `openSealed`, once for each sealed value: a secret that is set again is sealed anew, and opened anew. */
export function openKnown(
  vault: Vault,
  project: Parameters<typeof openSealed>[1],
  name: string,
  sealed: string,
): string {
  const values = opened.get(vault) ?? new Map<string, string>()
  opened.set(vault, values)
  const key = `${project.project_id} ${name} ${sealed}`
  const known = values.get(key)
  if (known !== undefined) return known
  const value = openSealed(vault, project, name, sealed)
  // The oldest is dropped: while still in use, it is opened once more.
  const [oldest] = values.keys()
  if (values.size >= maxOpened && oldest !== undefined) values.delete(oldest)
  values.set(key, value)
  return value
}
