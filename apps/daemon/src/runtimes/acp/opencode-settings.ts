import { writeFile } from 'node:fs/promises'
import {
  baseConfig,
  emptyCatalogue,
  fixedEnvironment,
  needsCatalogue,
  ownConfig,
} from '../agentrt/fixed-environment.ts'
import { preseedConfigDir } from '../agentrt/preseed.ts'
import { baseSettings, sessionSettings } from '../agentrt/settings.ts'
import { fencesFor, type SkillFences } from '../agentrt/skill-fence.ts'
import type { AgentFile } from '../agent-files/agent-file.ts'
import { rulesOf } from '../agent-files/permissions.ts'
import { hasConnectors } from '../connectors.ts'
import { writeInstructions } from '../instructions.ts'
import type { RuntimeParts } from '../runtime.ts'

/** The settings of the program behind the platform's own runtime, which it reads by the protocol's door as well. */
export async function opencodeVariables(
  { gateway, home, skills, secretNames }: RuntimeParts,
  given: {
    readonly env: Readonly<Record<string, string>>
    readonly config_dir: string
    readonly instructions: string
    readonly agents: ReadonlyMap<string, AgentFile>
  },
): Promise<Record<string, string>> {
  const { models, model, base_url } = gateway
  const [instructions, catalogue] = await Promise.all([
    writeInstructions(home, given.instructions),
    needsCatalogue(base_url !== null, secretNames()) ? null : emptyCatalogue(home),
    preseedConfigDir(ownConfig(home)),
  ])
  await writeFile(baseConfig(home), JSON.stringify(baseSettings(models)))
  const settings = sessionSettings({
    ...{ models, model, instructions, skills, fences: skills === null ? {} : fencesOf(given.agents, skills) },
    llm: base_url === null ? null : { base_url },
    connectors: hasConnectors(given.env),
  })
  return {
    ...fixedEnvironment(home),
    OPENCODE_CONFIG_DIR: given.config_dir,
    OPENCODE_CONFIG_CONTENT: JSON.stringify(settings),
    ...(catalogue === null ? {} : { OPENCODE_MODELS_PATH: catalogue }),
  }
}

/** A rule behind those of each agent's own file, which may let it load skills that were not granted. */
function fencesOf(agents: ReadonlyMap<string, AgentFile>, skills: readonly string[]): SkillFences {
  const listed = [...agents].map(([name, { permission }]) => ({ name, permission: rulesOf(permission) }))
  return fencesFor(listed, skills, {})
}
