import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longer than any worker should have left at the end, the longest first. Without a cache of earlier runs,
 * as in a fresh clone, Vitest orders by size, which says little of tests that wait for processes.
 */
const long = [
  'apps/standalone/tests/deployments/upgrade.test.ts',
  'apps/standalone/tests/dashboard/dashboard.test.ts',
  'apps/standalone/tests/deployments/restore-drill.test.ts',
  'apps/standalone/tests/deployments/backup.test.ts',
  'apps/daemon/tests/acp/faults.test.ts',
  'apps/api/tests/schema/migrate.test.ts',
  'apps/standalone/tests/failures/outages.test.ts',
  'apps/standalone/tests/apps/killed-releases.test.ts',
  'apps/standalone/tests/failures/chaos.test.ts',
  'packages/sandbox/tests/programs/process.test.ts',
  'apps/standalone/tests/main-job.test.ts',
  'packages/sandbox/tests/docker/programs.test.ts',
  'apps/merge-worker/tests/crash.test.ts',
  'apps/app-proxy/tests/floods.test.ts',
  'apps/standalone/tests/deployments/backup-bucket.test.ts',
  'apps/standalone/tests/triggers/monitors.test.ts',
  'apps/standalone/tests/channels.test.ts',
  'apps/api/tests/schema/roles.test.ts',
  'apps/standalone/tests/deployments/separate-processes.test.ts',
  'apps/standalone/tests/failures/soak.test.ts',
  'apps/standalone/tests/security/access.test.ts',
  'packages/spend/tests/crash.test.ts',
  'apps/standalone/tests/failures/shutdown.test.ts',
  'apps/standalone/tests/deployments/docker.test.ts',
  'apps/standalone/tests/apps/running-apps.test.ts',
  'apps/daemon/tests/runtime-acp-opencode.test.ts',
  'packages/apps/tests/unwanted.test.ts',
  'apps/api/tests/contract/openapi-fuzz.test.ts',
  'packages/backup/tests/journey.test.ts',
  'packages/connectors/tests/calls/floods.test.ts',
  'apps/daemon/tests/acp/crashes.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = long.findIndex((path) => moduleId.endsWith(`/${path}`))
      return found < 0 ? long.length : found
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
