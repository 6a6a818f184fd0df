import { totalmem } from 'node:os'
import type { SandboxLimits } from '../provider.ts'

const mebibyte = 1024 * 1024

/**
 * What a sandbox gets that asks for nothing else: enough for a large build, and too little to take the machine with it.
 * Processors are shared as the kernel sees fit.
 */
export function defaultLimits(machineBytes = totalmem()): SandboxLimits {
  return {
    memory_mb: Math.max(1_024, Math.floor(machineBytes / 2 / mebibyte)),
    pids: 4_096,
    disk_mb: 20_480,
  }
}
