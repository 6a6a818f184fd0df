import { arch, cpus, loadavg, platform } from 'node:os'

/** The machine of a figure: without it, an absolute time says nothing. */
export const machine = () => ({
  node: process.version,
  platform: `${platform()}-${arch()}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  load_average: loadavg()[0] ?? 0,
})
