import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { Client, Project } from '@svc/sdk'
import type { Cli } from '../../cli.ts'
import { writeLink } from '../../config/link-file.ts'
import { oneLine } from '../../output/plain.ts'
import { waitingFor } from '../../output/spinner.ts'
import { git, gitMaybe } from '../../git.ts'
import type { WorkTree } from './work-tree.ts'

/** Kept in the repository's own configuration until the link is written: a first run that was cut goes on. */
const keyName = 'svc.provisionkey'

/** The project of this folder; the first run makes one with an empty managed repository and links the folder to it. */
export async function shipProject(
  cli: Cli,
  tree: WorkTree,
  flags: { readonly project?: string; readonly name?: string },
): Promise<{ client: Client; project: Project }> {
  const named = flags.project ?? (cli.io.env['SVC_PROJECT_ID'] || undefined)
  if (named !== undefined || (await cli.link()) !== null) {
    const { client, project_id } = await cli.project(flags.project)
    return { client, project: await client.projects.get(project_id) }
  }
  const { client, target } = await cli.connect()
  const idempotency_key = await provisionKey(tree)
  const name = flags.name ?? basename(tree.root)
  const making = client.projects.provision({ name, idempotency_key, seed_starter: false })
  const project = await waitingFor(cli, 'Making the project', making)
  await writeLink(tree.root, project, target)
  await git(tree.root, ['config', '--unset', keyName])
  cli.out.line(`Created ${oneLine(project.name)} (${project.project_id}) and linked this folder to it`)
  return { client, project }
}

async function provisionKey({ root }: WorkTree): Promise<string> {
  const kept = await gitMaybe(root, ['config', '--get', keyName])
  if (kept !== null) return kept
  const key = `ship-${randomUUID()}`
  await git(root, ['config', keyName, key])
  return key
}
