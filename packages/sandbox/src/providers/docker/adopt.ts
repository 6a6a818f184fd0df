import { SandboxError } from '../../sandbox-error.ts'
import type { DockerHost } from './docker-host.ts'
import { inspectContainer, statusOfContainer } from './containers/containers.ts'
import { dockerPaths } from './paths.ts'
import { type DockerRecord, writeDockerRecord } from './record.ts'
import { destinationsOf } from '../../network/reach.ts'
import { unreached } from './relay/forwards.ts'

/**
 * Gives a running container the environment of its next starts; the relay asks for it at each call, so its reach changes
 * at once. The ways out were opened when it started: refuses an environment that would need another one.
 */
export async function adopt(
  host: DockerHost,
  record: DockerRecord,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const { external_id, hosts } = record
  const named = (given: Readonly<Record<string, string>>) =>
    destinationsOf({ SVC_API_URL: host.options.api_url, ...given })
  const proxied = host.egress.mode === 'open'
  const [missing] = unreached(named(environment), { initial: named(record.environment), hosts, proxied })
  if (missing !== undefined)
    throw new SandboxError('internal', `This sandbox was made without a way to ${missing.host}.`)
  if (statusOfContainer(await inspectContainer(host, external_id)) !== 'running')
    throw new SandboxError('gone', `The sandbox ${external_id} does not run; start the session again.`)
  const paths = dockerPaths(host.paths.root, external_id)
  await writeDockerRecord(paths.state, { ...record, environment: { ...environment } })
}
