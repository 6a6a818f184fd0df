import { arch, cpus, loadavg, platform } from 'node:os'

/** Where a figure was measured: without it, an absolute time says nothing. */
export const machine = () => ({
  node: process.version,
  platform: `${platform()}-${arch()}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  load_average: loadavg()[0] ?? 0,
})
