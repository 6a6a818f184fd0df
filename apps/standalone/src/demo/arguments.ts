import { parseArgs } from 'node:util'
import { harnessNames } from '@svc/harness'

export interface DemoArguments {
  /** A path or an address of a repository whose history the project starts from. */
  readonly repo: string | null
  /** The harness that works; null for that of every new project. */
  readonly agent: string | null
  /** The licence of that harness was read and accepted before. */
  readonly accept_licence: boolean
}

const usage = 'Usage: npm run demo [-- [--agent <name> [--accept-licence]] [--repo <path or https address>]]'

/** The words after the command; a string says what is wrong with them. */
export function readArguments(words: readonly string[]): DemoArguments | string {
  const options = {
    repo: { type: 'string' },
    agent: { type: 'string' },
    'accept-licence': { type: 'boolean' },
  } as const
  let values: { readonly repo?: string; readonly agent?: string; readonly 'accept-licence'?: boolean }
  try {
    values = parseArgs({ args: [...words], options }).values
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${usage}`
  }
  const { repo = null, agent = null, 'accept-licence': accept_licence = false } = values
  const names = harnessNames([])
  if (agent !== null && !names.includes(agent))
    return `No agent is called ${JSON.stringify(agent)}; there are ${names.join(', ')}\n${usage}`
  if (accept_licence && agent === null) return `--accept-licence goes with --agent\n${usage}`
  return { repo, agent, accept_licence }
}
