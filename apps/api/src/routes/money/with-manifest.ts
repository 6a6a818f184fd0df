import type { ProjectRow } from '@svc/db'
import { declaredAt } from '@svc/services'
import type { DeclaredNames } from '@svc/spend'
import type { AppEnv } from '../../parts.ts'

/** The context of every verb, with the names that a budget is judged by. */
export function withManifest(ctx: AppEnv['Variables']['ctx']) {
  const declaredNames = async (project: ProjectRow): Promise<DeclaredNames | null> => {
    const { manifest } = await declaredAt(ctx, project)
    return (
      manifest && {
        agents: manifest.agents.map(({ name }) => name),
        triggers: manifest.triggers.map(({ slug }) => slug),
      }
    )
  }
  return { ...ctx, declaredNames }
}
