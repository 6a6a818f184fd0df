import type { AppEntry } from '@svc/app'
import { type Repository, resolveBranch } from '@svc/git'
import { entriesAt } from '../releases/read-entries.ts'

const left_out = { cpu: null, memory_gb: null, disk_gb: null }

/** The entry of a preview: what it may use of the platform is what was reviewed, not what its change request asks for. */
export async function asReviewed(
  repository: Repository,
  default_branch: string,
  entry: AppEntry,
): Promise<AppEntry> {
  const tip = await resolveBranch(repository, default_branch)
  const { entries } = tip === null ? { entries: [] } : await entriesAt(repository, tip)
  const reviewed = entries.find(({ name }) => name === entry.name)
  return { ...entry, resources: reviewed?.resources ?? left_out }
}
