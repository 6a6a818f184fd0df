import { machines } from '@svc/db'
import type { SandboxContext } from '../../context.ts'

/** True while an operator empties the machine of this worker: it makes no sandbox then. */
export async function isDraining({ db, machine }: Pick<SandboxContext, 'db' | 'machine'>): Promise<boolean> {
  return machine !== undefined && machines.isDraining(db, machine)
}
