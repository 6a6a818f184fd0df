import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadEnvFile } from 'node:process'

/**
 * Takes over the settings that `svc self-host env set` keeps in the data directory; those of the environment itself go
 * first.
 */
export function loadSettingsFile(data_dir: string | undefined): void {
  const file = resolve(data_dir || '.data', 'settings.env')
  if (existsSync(file)) loadEnvFile(file)
}
