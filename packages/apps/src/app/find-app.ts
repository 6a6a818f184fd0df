import { type AccessibleProject, type AuditEntry, requireFeature, requireProject } from '@svc/context'
import { type AppRow, apps } from '@svc/db'
import { ServiceError } from '@svc/errors'
import type { Looking } from '../context.ts'

export interface AppInput {
  readonly project_id: string
  /** Its name in the manifest. */
  readonly app: string
}

type Capability = Parameters<typeof requireProject>[2]

/** The project, once the principal was found to hold `capability` on it and its apps are switched on. */
export async function requireApps(
  ctx: Looking,
  project_id: string,
  capability: Capability,
): Promise<AccessibleProject> {
  const project = await requireProject(ctx, project_id, capability)
  await requireFeature(ctx, project_id, 'apps')
  return project
}

export interface FoundApp {
  readonly project: AccessibleProject
  readonly app: AppRow
}

export async function requireApp(ctx: Looking, input: AppInput, capability: Capability): Promise<FoundApp> {
  const { project_id, app: name } = input
  const project = await requireApps(ctx, project_id, capability)
  const app = await apps.find(ctx.db, { project_id, name })
  if (app === undefined) throw noSuchApp(name)
  return { project, app }
}

export function noSuchApp(name: string): ServiceError {
  return new ServiceError(
    'not_found',
    `The default branch has declared no app ${JSON.stringify(name)}; list the apps of the project`,
  )
}

/** The event of something that was done to an app. */
export function ofApp(
  action: string,
  { account_id, project_id, name }: Pick<AppRow, 'account_id' | 'project_id' | 'name'>,
  details: Readonly<Record<string, unknown>> = {},
): AuditEntry {
  return { account_id, project_id, action, target: `projects/${project_id}/apps/${name}`, details }
}
