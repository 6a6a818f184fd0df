import { isMapping } from './raw.ts'
import { legacyLayout } from './legacy/layout.ts'
import { defaultRuntimeSettings, type RuntimeSettings, runtimeSettingsOf } from './model/runtime-settings.ts'
import { isOfVersion, type ManifestPath, versionOf } from './source/paths.ts'
import { readYaml } from './source/read-yaml.ts'
import type { Source } from './source/source.ts'

export { manifestLimits } from './limits.ts'
export type { RuntimeSettings } from './model/runtime-settings.ts'
export { defaultRuntimeSettings } from './model/runtime-settings.ts'
export { type ManifestPath, manifestPaths } from './source/paths.ts'

/**
 * The settings of the agent runtime in a manifest, read as `readManifest` reads it, without the rules of the rest.
 * Whatever is wrong with the file, there is an answer.
 */
export async function readRuntimeSettings(file: {
  readonly path: ManifestPath
  readonly text: string
}): Promise<RuntimeSettings> {
  const version = versionOf(file.path)
  const { data, findings } = version === 1 ? await readOldToml(file.text) : readYaml(file.text)
  if (!isMapping(data) || !isOfVersion(data['svc_version'], version)) return defaultRuntimeSettings
  return runtimeSettingsOf(version === 1 ? legacyLayout(data) : data, findings)
}

/** Loaded only for one that is written in it. */
async function readOldToml(text: string): Promise<Source> {
  const { readToml } = await import('./source/read-toml.ts')
  return readToml(text)
}
