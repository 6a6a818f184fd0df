import { appDefaults, type AppResources } from '@svc/app'
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
  const { cpu, memory_gb, disk_gb } = resources ?? appDefaults
  return {
    sandbox_id,
    image,
    limits: { cpu, memory_mb: memory_gb * 1024, disk_mb: disk_gb * 1024 },
    token: controlToken(ctx, project, sandbox_id),
  }
}

const controlToken = ({ vault }: Pick<Running, 'vault'>, project: ProjectRow, sandbox_id: string): string =>
  tokenOf(dataKey(vault, project), ['app-sandbox', sandbox_id])

/** Works with the control of a sandbox that runs; null when none does. */
export async function withControl<T>(
  ctx: Running,
  project: ProjectRow,
  { sandbox_id, external_id }: { readonly sandbox_id: string; readonly external_id: string },
  work: (control: ProgramControl) => Promise<T>,
): Promise<T | null> {
  const token = controlToken(ctx, project, sandbox_id)
  const control = await ctx.runtime.programs.control(external_id, token)
  if (control === null) return null
  try {
    return await work(control)
  } finally {
    await control.close()
  }
}
