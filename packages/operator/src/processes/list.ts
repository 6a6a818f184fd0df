import { requirePlatformAdmin } from '@svc/context'
import { machines, processes } from '@svc/db'
import type { Looking } from '../context.ts'

export async function listProcesses(ctx: Looking) {
  await requirePlatformAdmin(ctx)
  return { processes: await processes.listLiving(ctx.db, ctx.now()) }
}

export async function listMachines(ctx: Looking) {
  await requirePlatformAdmin(ctx)
  return { machines: await machines.list(ctx.db, ctx.now()) }
}
