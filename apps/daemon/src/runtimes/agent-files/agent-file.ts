import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const action = z.enum(['ask', 'allow', 'deny'])
const permission = z.union([action, z.record(z.string(), z.union([action, z.record(z.string(), action)]))])
export type Permission = z.infer<typeof permission>

/** The fields that pi uses in the frontmatter of an agent's own file. */
const Frontmatter = z.object({
  description: z.string().default(''),
  model: z.string().min(1).optional(),
  mode: z.enum(['primary', 'subagent', 'all']).default('all'),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  steps: z.int().min(1).optional(),
  hidden: z.boolean().default(false),
  disable: z.boolean().default(false),
  permission: permission.optional(),
  /** The older way to forbid a tool. */
  tools: z.record(z.string(), z.boolean()).default({}),
})

export type AgentFile = z.infer<typeof Frontmatter> & {
  readonly name: string
  readonly prompt: string
  /** The reason that the file cannot be followed; an agent whose rules are not understood does not work without them. */
  readonly problem: string | null
}

const fence = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

export function parseAgentFile(name: string, text: string): AgentFile {
  const head = fence.exec(text)
  const prompt = text.slice(head?.[0].length ?? 0).trim()
  try {
    const front = Frontmatter.parse(head === null ? {} : (parse(head[1] ?? '', { maxAliasCount: 100 }) ?? {}))
    return { ...front, name, prompt, problem: null }
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    return {
      ...Frontmatter.parse({}),
      name,
      prompt,
      problem: `The file of the agent ${name} is wrong: ${why}`,
    }
  }
}

/** The agents of the repository, in `agents/` of its configuration folder. */
export async function readAgents(config_dir: string): Promise<ReadonlyMap<string, AgentFile>> {
  const agents = new Map<string, AgentFile>()
  for (const folder of ['agent', 'agents']) {
    const names = await readdir(join(config_dir, folder)).catch(() => [])
    for (const file of names.filter((name) => name.endsWith('.md')).toSorted()) {
      const text = await readFile(join(config_dir, folder, file), 'utf8').catch(() => null)
      const agent = text === null ? null : parseAgentFile(basename(file, '.md'), text)
      if (agent !== null && !agent.disable) agents.set(agent.name, agent)
    }
  }
  return agents
}
