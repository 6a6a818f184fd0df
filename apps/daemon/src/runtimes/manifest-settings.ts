import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  defaultRuntimeSettings,
  manifestLimits,
  type ManifestPath,
  manifestPaths,
  readRuntimeSettings,
  type RuntimeSettings,
} from '@svc/manifest/runtime'

/**
 * The manifest's settings of the agent runtime, in files that `read` gives, or null where there is no such file. Which
 * runtime runs, and what an agent is granted, the platform says.
 */
export async function runtimeSettings(
  read: (path: ManifestPath) => Promise<string | null>,
): Promise<RuntimeSettings> {
  for (const path of manifestPaths) {
    const text = await read(path)
    if (text !== null) return readRuntimeSettings({ path, text })
  }
  return defaultRuntimeSettings
}

/** The settings of a checkout. */
export function settingsIn(workspace: string): Promise<RuntimeSettings> {
  return runtimeSettings(async (path) => {
    const file = join(workspace, path)
    const info = await stat(file).catch(() => null)
    if (info === null || !info.isFile()) return null
    // A text that is too large says nothing, to the platform as well.
    return info.size > manifestLimits.bytes ? '' : readFile(file, 'utf8').catch(() => '')
  })
}
