import { totalmem } from 'node:os'
import { z } from 'zod'
import type { SandboxLimits } from '../provider.ts'

const mebibyte = 1024 * 1024

/** Limits of a sandbox that asks for no others, for the apps that make sandboxes on their own machine. */
export const limitSettings = {
  SVC_SANDBOX_CPU: z.coerce
    .number()
    .min(0.1)
    .max(256)
    .optional()
    .describe('cores of a sandbox; shared as the kernel sees fit when not given'),
  SVC_SANDBOX_MEMORY_MB: z.coerce
    .number()
    .int()
    .min(128)
    .optional()
    .describe('memory of a sandbox; half of the machine’s when not given'),
  SVC_SANDBOX_DISK_MB: z.coerce.number().int().min(64).default(20_480).describe('disk of a sandbox'),
  SVC_SANDBOX_PIDS: z.coerce.number().int().min(64).default(4_096).describe('processes of a sandbox'),
}

type Env = z.infer<z.ZodObject<typeof limitSettings>>

/** Enough for a large build, and too little to take the machine with it. */
export function defaultLimits(
  env: Env = z.object(limitSettings).parse({}),
  machine = totalmem(),
): SandboxLimits {
  const { SVC_SANDBOX_CPU: cpu, SVC_SANDBOX_MEMORY_MB: memory_mb } = env
  return {
    ...(cpu === undefined ? {} : { cpu }),
    memory_mb: memory_mb ?? Math.max(1_024, Math.floor(machine / 2 / mebibyte)),
    pids: env.SVC_SANDBOX_PIDS,
    disk_mb: env.SVC_SANDBOX_DISK_MB,
  }
}
