import type { JudgedApp } from '@svc/sdk'
import type { Cli } from '../../cli.ts'

const waitMs = 5000

/**
 * The apps of a manifest as the platform of a linked project would make them; null without a link, and where that
 * platform is not reached or makes no apps. The manifest's own verdict depends on no platform.
 */
export async function checkApps(
  cli: Cli,
  manifest: string | undefined,
): Promise<readonly JudgedApp[] | null> {
  if (manifest === undefined || !/^apps:/m.test(manifest)) return null
  if (cli.io.env['SVC_PROJECT_ID'] === undefined && (await cli.link()) === null) return null
  try {
    const { client, project_id } = await cli.project(undefined)
    const signal = AbortSignal.timeout(waitMs)
    return (await client.projects.apps.check(project_id, { manifest }, { signal })).apps
  } catch {
    return null
  }
}
