import { isAbsolute, normalize } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { defaultConfigDir } from './default-config-dir.ts'

const WithConfigDir = z.object({
  agentrt: z.object({ config_dir: z.string().min(1).max(1024) }),
})

/** The manifest's `agentrt.config_dir`; whatever is wrong with the manifest, the agent still starts. */
export function configDirOf(manifest: string): string {
  try {
    const dir = WithConfigDir.parse(parse(manifest, { maxAliasCount: 100 })).agentrt.config_dir
    const unsafe = isAbsolute(dir) || dir.includes('\0') || dir.split(/[\\/]/).includes('..')
    return unsafe ? defaultConfigDir : normalize(dir).replace(/\/+$/, '')
  } catch {
    return defaultConfigDir
  }
}
