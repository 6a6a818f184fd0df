import { defaultConfigDir, defaultRuntime, type ManifestRuntime, manifestRuntimes } from '@svc/facts'
import type { Finding } from '../issue.ts'
import { mappingAt, textAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { isRelativePath } from './relative-path.ts'

/** The settings of the agent runtime in a manifest. */
export interface RuntimeSettings {
  readonly runtime: ManifestRuntime
  /** The folder without redundant dots and slashes: `x`, never `./x/`. */
  readonly config_dir: string
}

export const defaultRuntimeSettings: RuntimeSettings = {
  runtime: defaultRuntime,
  config_dir: defaultConfigDir,
}

/** A setting that is wrong counts as not written: the agent starts whatever there is in the manifest. */
export function runtimeSettingsOf(data: Mapping, findings: readonly Finding[]): RuntimeSettings {
  const written = textAt(mappingAt(data, 'agentrt'), 'config_dir')
  const isFaulty = findings.some(
    ({ path, severity }) => severity === 'error' && path[0] === 'agentrt' && path[1] === 'config_dir',
  )
  return {
    runtime: manifestRuntimes.find((name) => name === textAt(data, 'runtime')) ?? defaultRuntime,
    config_dir:
      written === undefined || isFaulty || !isRelativePath(written) ? defaultConfigDir : plain(written),
  }
}

function plain(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 ? '.' : parts.join('/')
}
