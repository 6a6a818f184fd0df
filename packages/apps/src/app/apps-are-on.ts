import { featureFlag, isFeatureOn } from '@svc/access'
import { type Db, features } from '@svc/db'

/** For workers, which refuse nothing: they leave a project alone whose apps were switched off. */
export async function appsAreOn(db: Db, project_id: string): Promise<boolean> {
  const [decided] = await features.decisions(db, project_id, ['apps'])
  return decided !== undefined && isFeatureOn(featureFlag('apps'), decided)
}
