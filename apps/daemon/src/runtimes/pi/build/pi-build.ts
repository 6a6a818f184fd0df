import { fileURLToPath } from 'node:url'
import { installedVersion } from '../../../../code-cache/installed-version.ts'
import type { RuntimeBuild } from '../../builds.ts'
import { standbyVariable } from '../server/late-environment.ts'
import { unusedByPi } from './unused-by-pi.ts'

/** pi and the server in front of it, as one program. */
export const piBuild: RuntimeBuild = {
  main: fileURLToPath(new URL('../server/main.ts', import.meta.url)),
  options: { external: ['koffi'], esbuildPlugins: [unusedByPi] },
  // pi looks for its name and version beside itself.
  package: { name: 'pi', version: installedVersion('@earendil-works/pi-coding-agent') },
  standby_env: { [standbyVariable]: '1' },
}
