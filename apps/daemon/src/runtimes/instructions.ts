import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentRules } from '@svc/contract/agent-rules'

/** Instructions for every agent about the place that it works in, whatever runtime it has. */
export function agentInstructions(place: {
  readonly branch: string
  readonly base_ref: string
  readonly default_branch: string
  readonly workspace: string
}): string {
  const { branch, base_ref, default_branch, workspace } = place
  const rules = agentRules({ branch, default_branch, session: branch })
  return `# Where you work

You work in a session of the svc platform: a sandbox of your own, with the project's repository in ${workspace} and the branch \`${branch}\` checked out, cut from \`${base_ref}\`.

${rules.map((rule) => `- ${rule}`).join('\n')}
- \`svc help agent\` tells these rules again, \`svc help\` lists the commands.
`
}

/** Writes a file for a runtime that reads its instructions from one; returns its path. */
export async function writeInstructions(home: string, text: string): Promise<string> {
  const folder = join(home, '.svc')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'instructions.md')
  await writeFile(path, text)
  return path
}
