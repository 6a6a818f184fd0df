import type { CheckName } from '@svc/facts'
import { archiveMissing } from './archive-missing.ts'
import { archiveOrphan } from './archive-orphan.ts'
import { auditChain } from './audit-chain.ts'
import { branchMissing } from './branch-missing.ts'
import type { Check } from './check.ts'
import { crMergedMissing } from './cr-merged-missing.ts'
import { crNumberBehind } from './cr-number-behind.ts'
import { crOpenLanded } from './cr-open-landed.ts'
import { intentUnfinished } from './intent-unfinished.ts'
import { keyUnopenable } from './key-unopenable.ts'
import { migrationDrift } from './migration-drift.ts'
import { repositoryDamaged } from './repository-damaged.ts'
import { repositoryMissing } from './repository-missing.ts'
import { sandboxLost } from './sandbox-lost.ts'
import { sandboxOrphan } from './sandbox-orphan.ts'
import { sequenceBehind } from './sequence-behind.ts'
import { workStuck } from './work-stuck.ts'

/** Every check, in the order in which they are made: what others rest on comes first. */
export const checks: readonly Check[] = [
  migrationDrift,
  keyUnopenable,
  repositoryMissing,
  repositoryDamaged,
  crMergedMissing,
  crOpenLanded,
  branchMissing,
  intentUnfinished,
  crNumberBehind,
  sequenceBehind,
  workStuck,
  sandboxLost,
  sandboxOrphan,
  archiveMissing,
  archiveOrphan,
  auditChain,
]

interface Wanted {
  readonly checks: readonly CheckName[]
  readonly project_id: string | null
}

/** Of those that a run names, the ones that look at what it looks at. */
export function checksOf({ checks: names, project_id }: Wanted): readonly Check[] {
  return checks.filter(({ name, of }) => names.includes(name) && (project_id === null || of === 'project'))
}
