import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { configDirOf } from './config-dir.ts'

/**
 * What the checkout's manifest says of the agent runtime. Which one runs, and what an agent is granted, the platform says.
 */
export interface RuntimeSettings {
  readonly config_dir: string
}

const manifestBytes = 4 * 1024 * 1024

/** Whatever is wrong with the manifest, the agent still starts. */
export async function readRuntimeSettings(workspace: string): Promise<RuntimeSettings> {
  const path = join(workspace, 'svc.yaml')
  const info = await stat(path).catch(() => null)
  if (info === null || !info.isFile() || info.size > manifestBytes) return { config_dir: configDirOf('') }
  return { config_dir: configDirOf(await readFile(path, 'utf8').catch(() => '')) }
}
