import { createMetrics, type Metrics } from '@svc/boot'
import { levelsOf, migrations } from '@svc/db'
import { version } from '../schema/version.ts'

/** The metrics of a process that has the schema of this build. */
export function serviceMetrics(service: string, commit: string): Metrics {
  const metrics = createMetrics(service)
  metrics.set('svc_build_info', { version, commit, schema: String(levelsOf(migrations).newest) }, 1)
  return metrics
}
