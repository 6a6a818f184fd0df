import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What every agent is told of the place that it works in, whatever runtime it has. */
export function agentInstructions(session: {
  readonly branch: string
  readonly base_ref: string
  readonly workspace: string
}): string {
  const { branch, base_ref, workspace } = session
  return `# Where you work

You work in a session of the svc platform: a sandbox of your own, with the project's repository in ${workspace} and the branch \`${branch}\` checked out, cut from \`${base_ref}\`.

- Commit and push in small steps: \`git push origin HEAD\`. What is pushed is safe; the sandbox may be stopped at any time.
- Never push to \`${base_ref}\`. When the work is done, push it and open a change request: \`svc cr open --title "..." --description "..."\`. \`svc cr show <number>\` tells whether it merges cleanly.
- Never merge, close or approve your own change request: people do. When changes are asked for, you are told here; commit and push to the same branch, and say so.
- On a conflict: \`git fetch origin && git merge origin/${base_ref}\`, resolve, commit, push.
- Programs that you start on a port can be seen by people as previews: \`svc sessions preview ${branch} <port>\`. The ports 22, 4096 and 8000 are not for you.
- Secrets are in the environment. Never print them, commit them, or put them in a URL.
- \`svc\` acts as this session: nothing has to be logged in or linked. \`svc help agent\` tells these rules again, \`svc help\` lists the commands.
`
}

/** In a file for a runtime that reads its instructions from one. */
export async function writeInstructions(home: string, text: string): Promise<string> {
  const folder = join(home, '.svc')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'instructions.md')
  await writeFile(path, text)
  return path
}
