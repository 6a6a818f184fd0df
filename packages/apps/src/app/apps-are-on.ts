import { featureFlag, isFeatureOn } from '@svc/access'
import { type Db, features, projects } from '@svc/db'

/** For workers, which refuse nothing: they leave a project alone whose apps were switched off, or that is gone. */
export async function appsAreOn(db: Db, project_id: string): Promise<boolean> {
  if ((await projects.find(db, project_id))?.status !== 'active') return false
  const [decided] = await features.decisions(db, project_id, ['apps'])
  return decided !== undefined && isFeatureOn(featureFlag('apps'), decided)
}
