import type { CheckName, Finding } from '@svc/facts'
import { servicePlaces } from '@svc/services'
import type { World } from '@svc/services/testing'
import { type CheckContext, checksOf, runChecks } from '../src/index.ts'

/** The context that a worker makes its checks with. */
export const checkContext = (world: World, overrides: Partial<CheckContext> = {}): CheckContext => ({
  ...world.worker(),
  places: servicePlaces,
  ...overrides,
})

/** Makes one check, of one project where it is named. */
export function checker(world: World) {
  return async (
    name: CheckName,
    { project_id = null, repair = false }: { project_id?: string | null; repair?: boolean } = {},
  ): Promise<readonly Finding[]> => {
    const wanted = checksOf({ checks: [name], project_id })
    const { findings, complete } = await runChecks(checkContext(world), wanted, { project_id, repair })
    if (!complete) throw new Error(`The check could not be made: ${JSON.stringify(findings)}`)
    return findings
  }
}
