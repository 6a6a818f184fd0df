import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const apps = fileURLToPath(new URL('../../../..', import.meta.url))

/** A built entry of a deployable; journeys run the shipped build, not the sources. */
export function builtEntry(app: string, entry = 'main'): string {
  const path = join(apps, app, 'dist', `${entry}.js`)
  if (!existsSync(path)) throw new Error(`${path} is not built: run \`npm run build\` first`)
  return path
}
