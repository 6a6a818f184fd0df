import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { configDirOf } from './config-dir.ts'

export const runtimeNames = ['agentrt', 'pi'] as const
export type RuntimeName = (typeof runtimeNames)[number]

/** What the manifest says of the agent runtime. What an agent is granted, the platform says. */
export interface RuntimeSettings {
  readonly config_dir: string
  /** Null without a manifest, which the clone may still bring. */
  readonly runtime: RuntimeName | null
}

const Manifest = z.object({ runtime: z.enum(runtimeNames).catch('agentrt').default('agentrt') })

/** Whatever is wrong with the manifest, the agent still starts. */
export function runtimeSettingsOf(manifest: string): RuntimeSettings {
  const config_dir = configDirOf(manifest)
  try {
    const { runtime } = Manifest.parse(parse(manifest, { maxAliasCount: 100 }) ?? {})
    return { config_dir, runtime }
  } catch {
    return { config_dir, runtime: 'agentrt' }
  }
}

const manifestBytes = 4 * 1024 * 1024

export async function readRuntimeSettings(workspace: string): Promise<RuntimeSettings> {
  const path = join(workspace, 'svc.yaml')
  const info = await stat(path).catch(() => null)
  const none = { ...runtimeSettingsOf(''), runtime: null }
  if (info === null || !info.isFile() || info.size > manifestBytes) return none
  const text = await readFile(path, 'utf8').catch(() => null)
  return text === null ? none : runtimeSettingsOf(text)
}
