import type { AppResources } from '@svc/app'
import type { ProjectRow } from '@svc/db'
import { dataKey } from '@svc/services'
import type { ProgramControl, ProgramSandbox } from '@svc/sandbox'
import { tokenOf } from '@svc/vault'
import type { Running } from '../context.ts'

/** The sandbox of a release that is built, or of an instance: its token follows from the project's key. */
export function sandboxOf(
  ctx: Pick<Running, 'vault'>,
  project: ProjectRow,
  {
    sandbox_id,
    image,
    resources,
  }: {
    readonly sandbox_id: string
    readonly image: string | null
    readonly resources: AppResources | undefined
  },
): ProgramSandbox {
  const { cpu = 1, memory_gb = 2, disk_gb = 10 } = resources ?? {}
  return {
    sandbox_id,
    image,
    limits: { cpu, memory_mb: memory_gb * 1024, disk_mb: disk_gb * 1024 },
    token: tokenOf(dataKey(ctx.vault, project), ['app-sandbox', sandbox_id]),
  }
}

/** Works with the control of a sandbox that runs; null when none does. */
export async function withControl<T>(
  ctx: Running,
  project: ProjectRow,
  { sandbox_id, external_id }: { readonly sandbox_id: string; readonly external_id: string },
  work: (control: ProgramControl) => Promise<T>,
): Promise<T | null> {
  const { token } = sandboxOf(ctx, project, { sandbox_id, image: null, resources: undefined })
  const control = await ctx.runtime.programs.control(external_id, token)
  if (control === null) return null
  try {
    return await work(control)
  } finally {
    await control.close()
  }
}
