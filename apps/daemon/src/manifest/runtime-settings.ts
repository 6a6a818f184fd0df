import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { configDirOf } from './config-dir.ts'

export const runtimeNames = ['agentrt', 'pi'] as const
export type RuntimeName = (typeof runtimeNames)[number]

/** What the manifest says of the agent runtime. */
export interface RuntimeSettings {
  readonly config_dir: string
  /** Null without a manifest, which the clone may still bring. */
  readonly runtime: RuntimeName | null
  /** The skills that the agent may use; null is every one that there is. */
  readonly skills: readonly string[] | null
}

const Manifest = z.object({
  runtime: z.enum(runtimeNames).catch('agentrt').default('agentrt'),
  agents: z.record(z.string(), z.unknown()).catch({}).default({}),
})
const Agent = z.object({ skills: z.union([z.array(z.string()), z.enum(['all', 'none'])]).optional() })

/** Whatever is wrong with the manifest, the agent still starts. */
export function runtimeSettingsOf(manifest: string, agent_name: string | undefined): RuntimeSettings {
  const config_dir = configDirOf(manifest)
  try {
    const { runtime, agents } = Manifest.parse(parse(manifest, { maxAliasCount: 100 }) ?? {})
    const agent = Agent.safeParse(agent_name === undefined ? {} : agents[agent_name])
    const isDeclared = agent_name !== undefined && agent_name in agents
    const skills = agent.success ? (agent.data.skills ?? 'none') : 'none'
    const allowed = skills === 'all' ? null : skills === 'none' ? [] : skills
    return { config_dir, runtime, skills: isDeclared ? allowed : null }
  } catch {
    return { config_dir, runtime: 'agentrt', skills: null }
  }
}

const manifestBytes = 4 * 1024 * 1024

export async function readRuntimeSettings(
  workspace: string,
  agent_name: string | undefined,
): Promise<RuntimeSettings> {
  const path = join(workspace, 'svc.yaml')
  const info = await stat(path).catch(() => null)
  const none = { ...runtimeSettingsOf('', agent_name), runtime: null }
  if (info === null || !info.isFile() || info.size > manifestBytes) return none
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return none
  const settings = runtimeSettingsOf(text, agent_name)
  const folders = [`${settings.config_dir}/skill`, `${settings.config_dir}/skills`, ...usualSkillFolders]
  const hasSkills = folders.some((folder) => existsSync(join(workspace, folder)))
  // A list of what is not there must not cost a start of its own.
  return hasSkills ? settings : { ...settings, skills: null }
}

/** Where the runtimes look besides their configuration folder. */
const usualSkillFolders = [
  '.opencode/skill',
  '.opencode/skills',
  '.claude/skills',
  '.agents/skills',
  '.pi/skills',
]
