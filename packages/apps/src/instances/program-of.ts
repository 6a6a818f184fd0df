import { createHash } from 'node:crypto'
import { type AppConfig, type RunConfig, urlOf } from '@svc/app'
import { type AppChannelRow, type AppReleaseRow, type AppRow, type ProjectRow, secrets } from '@svc/db'
import { openSealed } from '@svc/services'
import type { Program } from '@svc/sandbox'
import type { Running } from '../context.ts'
import { ReleaseError } from '../releases/release-error.ts'

export interface ProgramInput {
  readonly project: ProjectRow
  readonly app: AppRow
  readonly release: AppReleaseRow
  readonly channel: Pick<AppChannelRow, 'label'>
  readonly config: AppConfig
  readonly run: RunConfig
}

export interface OpenedProgram {
  readonly program: Program
  /** Changes with the secrets that it was opened with. */
  readonly secrets_revision: string
}

/** The program of a release, with its secrets in the clear: it goes to the sandbox that starts it, and nowhere else. */
export async function programOf(ctx: Running, input: ProgramInput): Promise<OpenedProgram> {
  const { project, app, release, channel, config, run } = input
  const known = new Map((await secrets.list(ctx.db, project.project_id)).map((row) => [row.name, row]))
  const opened: Record<string, string> = {}
  const masked: Record<string, string> = {}
  for (const [variable, name] of Object.entries(run.secrets)) {
    const row = known.get(name)
    if (row === undefined)
      throw new ReleaseError(
        'config',
        `apps.${app.name}.secrets.${variable}: the project has no secret ${name}; give it: svc secrets set ${name}`,
      )
    const value = openSealed(ctx.vault, project, name, row.sealed_value)
    opened[variable] = value
    masked[name] = value
  }
  const { runs } = ctx.runtime.programs
  const url =
    ctx.settings.apps_url === undefined ? {} : { SVC_APP_URL: urlOf(ctx.settings.apps_url, channel.label) }
  return {
    program: {
      command: run.command,
      environment: {
        // One network for all: what listens everywhere would be open to its neighbours.
        ...(runs.images ? {} : { HOST: '127.0.0.1' }),
        ...config.env,
        ...opened,
        SVC_APP: app.name,
        SVC_RELEASE: String(release.number),
        SVC_APP_COMMIT: release.commit_sha,
        ...url,
      },
      masked,
      folder: config.image === undefined ? '' : null,
      kind: 'serve',
      port: run.port,
      readiness_path: run.readiness_path,
      timeout_ms: ctx.runtime.start_ms,
    },
    secrets_revision: revisionOf(run, [...known.values()]),
  }
}

/** Changes when a secret of the run was written anew. */
export function revisionOf(
  run: Pick<RunConfig, 'secrets'>,
  rows: readonly { readonly name: string; readonly updated_at: Date }[],
): string {
  const wanted = new Set(Object.values(run.secrets))
  const parts = rows
    .filter(({ name }) => wanted.has(name))
    .map(({ name, updated_at }) => `${name} ${updated_at.toISOString()}`)
  return createHash('sha256').update(parts.sort().join('\n')).digest('hex')
}
