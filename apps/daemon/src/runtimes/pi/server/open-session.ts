import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AgentSession,
  createAgentSession,
  DefaultResourceLoader,
  type ExtensionFactory,
  type SessionManager,
  SettingsManager,
  type ToolDefinition,
} from '@earendil-works/pi-coding-agent'
import type { Models } from './models.ts'
import type { PiSettings } from './settings.ts'

/**
 * One of pi's sessions as the platform wants it: nothing of the repository is run inside this process, and nothing is
 * installed. The repository's AGENTS.md and skills are read.
 */
export async function openAgentSession(parts: {
  readonly settings: PiSettings
  readonly models: Models
  readonly manager: SessionManager
  readonly tools: ToolDefinition[]
  readonly gate: ExtensionFactory
}): Promise<AgentSession> {
  const { settings, models, manager, tools, gate } = parts
  const { workspace, agent_dir, skills } = settings
  const settingsManager = SettingsManager.inMemory({ enableInstallTelemetry: false })
  const folders = ['skill', 'skills'].map((name) => join(settings.config_dir, name))
  const resourceLoader = new DefaultResourceLoader({
    cwd: workspace,
    agentDir: agent_dir,
    settingsManager,
    noExtensions: true,
    noThemes: true,
    noPromptTemplates: true,
    additionalSkillPaths: folders.filter((folder) => existsSync(folder)),
    appendSystemPrompt: [settings.instructions],
    extensionFactories: [gate],
    skillsOverride: (found) =>
      skills === null
        ? found
        : { ...found, skills: found.skills.filter(({ name }) => skills.includes(name)) },
  })
  await resourceLoader.reload()
  const first = settings.gateway?.models[0]
  const model = first && models.find(first.id)
  const { session } = await createAgentSession({
    cwd: workspace,
    agentDir: agent_dir,
    modelRegistry: models.registry,
    authStorage: models.registry.authStorage,
    settingsManager,
    sessionManager: manager,
    resourceLoader,
    customTools: tools,
    ...(model ? { model } : {}),
  })
  return session
}
