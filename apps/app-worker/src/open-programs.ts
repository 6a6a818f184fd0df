import type { Logger } from '@svc/boot'
import type { Programs } from '@svc/sandbox'
import { chooseProvider, openMetricsProblem, openPrograms, type ProviderChoice } from '@svc/sandbox/providers'

export type ProgramsChoice = Omit<ProviderChoice, 'scope' | 'log'> & {
  /** The platform's own id: sandboxes of apps have a scope beside it. */
  readonly deployment: string
}

export interface AppPrograms {
  readonly programs: Programs
  /** Why this needs a token for metrics; null where none is needed. */
  openMetricsProblem(token: string | undefined): string | null
  /** Apps outlive this unless they are to be stopped. */
  close(options: { readonly stop_sandboxes: boolean; readonly force?: AbortSignal }): Promise<void>
}

/** The sandboxes of apps: in a folder and a scope of their own, so that no list mixes them with those of sessions. */
export async function openAppPrograms(
  { deployment, ...choice }: ProgramsChoice,
  log: Logger,
): Promise<AppPrograms> {
  const { provider, why } = await chooseProvider({
    ...choice,
    scope: `${deployment.slice(0, 35)}-apps`,
    log: (level, message, details) => log[level](details ?? {}, message),
  })
  log.info({ provider: provider.name, programs: provider.runs }, `Apps run by: ${why}`)
  return {
    programs: openPrograms(provider),
    openMetricsProblem: (token) => openMetricsProblem(provider, token),
    close: (options) => provider.close(options),
  }
}
