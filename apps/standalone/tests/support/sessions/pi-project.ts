import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client, ProvisionedProject } from '@svc/sdk'
import { git } from '../clients/git.ts'

/**
 * A project whose manifest names the runtime pi. It starts at half the cost of the other, which counts where a file
 * starts it many times and looks at what is the same on both.
 */
export const piProject = (
  client: Client,
  token: string,
  name: string,
  agent = '{ svc_cli: all }',
): Promise<ProvisionedProject> => grantedProject(client, token, name, `runtime: pi\n${helperOf(agent)}`)

const helperOf = (agent: string) => `default_agent: helper\nagents: { helper: ${agent} }\n`

/** A project whose agent may do all that the person may; of the default runtime when nothing else is given. */
export async function grantedProject(
  client: Client,
  token: string,
  name: string,
  rest = helperOf('{ svc_cli: all }'),
): Promise<ProvisionedProject> {
  const project = await client.projects.provision({ name })
  const clone = await mkdtemp(join(tmpdir(), 'svc-pi-project-'))
  await git(['clone', '-q', project.repo_url, clone], { token })
  await writeFile(join(clone, 'svc.yaml'), `svc_version: 2\n${rest}`)
  await git(['commit', '-q', '-a', '-m', 'Set up the agent'], { cwd: clone })
  await git(['push', '-q', 'origin', 'HEAD:main'], { cwd: clone, token })
  await rm(clone, { recursive: true })
  return project
}
