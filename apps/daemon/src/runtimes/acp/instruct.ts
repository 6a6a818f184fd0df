import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { HarnessLaunch } from '@svc/harness'
import { type AgentFile, readAgents } from '../agent-files/agent-file.ts'
import type { RuntimeParts } from '../runtime.ts'

export interface Instructed {
  /** The agents of the repository by their names. */
  readonly agents: ReadonlyMap<string, AgentFile>
  /** The whole text; where the program reads no file it goes with the first prompt. */
  readonly text: string
  readonly goes_with_prompt: boolean
}

/** Lays down what the agent has to know: the rules of the place, its own file, its skills. Written anew at each start. */
export async function instruct(
  { home, agent, skills, instructions }: RuntimeParts,
  launch: HarnessLaunch,
  config_dir: string,
): Promise<Instructed> {
  const [agents, granted] = await Promise.all([readAgents(config_dir), grantedSkills(config_dir, skills)])
  const own = agent === undefined ? undefined : agents.get(agent)
  if (own?.problem != null) throw new Error(own.problem)
  const connectors = launch.mcp.length === 0 ? 'Connectors are called by `svc connectors`.' : ''
  const listed =
    granted.length === 0
      ? ''
      : `# Skills\n\nRead the file before you use one.\n\n${granted.map((path) => `- ${basename(path)}: ${join(path, 'SKILL.md')}`).join('\n')}`
  // A program that reads the file itself would have it twice.
  const behaviour = launch.reads_agents ? '' : (own?.prompt ?? '')
  const text = [instructions, behaviour, listed, connectors].filter((part) => part !== '').join('\n\n')
  if (launch.skills_folder !== null) await linkSkills(join(home, launch.skills_folder), granted)
  const { instructions_file } = launch
  const goes_with_prompt = instructions_file === null && launch.gateway !== 'opencode'
  if (instructions_file !== null) {
    const path = join(home, instructions_file)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, `${text}\n`)
  }
  for (const [name, content] of Object.entries(launch.home_files)) {
    const path = join(home, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, content)
  }
  return { agents, text, goes_with_prompt }
}

/** Folders of the skills that the session may use. */
async function grantedSkills(
  config_dir: string,
  skills: readonly string[] | null,
): Promise<readonly string[]> {
  const names = await readdir(join(config_dir, 'skills')).catch(() => [])
  return names
    .filter((name) => skills === null || skills.includes(name))
    .toSorted()
    .map((name) => join(config_dir, 'skills', name))
}

/** The skills that were granted, and no others: links of an earlier start go. */
async function linkSkills(folder: string, paths: readonly string[]): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const path of paths) await symlink(path, join(folder, basename(path)))
}
