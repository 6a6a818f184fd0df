import { chmod, mkdir, rm } from 'node:fs/promises'
import type { SandboxSpec } from '../../../provider.ts'
import { containerOptions } from './container-options.ts'
import { containerName, deploymentLabel, inspectContainer, sandboxLabel } from './containers.ts'
import type { DockerHost } from '../docker-host.ts'
import { statusCode } from '../../../engine/engine-errors.ts'
import { dockerPaths } from '../paths.ts'
import { type DockerRecord, readDockerRecord, writeDockerRecord } from '../record.ts'
import { reachedBy } from '../../../shared/reached.ts'
import { destinationsOf } from '../../../network/reach.ts'
import { hostAddresses } from '../relay/forwards.ts'

/** The sandbox with this id, made when it is not there. One that an earlier try left halfway is made anew. */
export async function ensureContainer(
  host: DockerHost,
  external_id: string,
  spec: SandboxSpec,
): Promise<DockerRecord> {
  const paths = dockerPaths(host.paths.root, external_id)
  const known = await readDockerRecord(paths.state)
  const container = await inspectContainer(host, external_id)
  if (known !== null && container !== null) return known
  const template = spec.template ?? null
  const workload = spec.workload ?? 'session'
  const named = workload === 'program' ? (template?.image ?? null) : null
  const { image, image_program } =
    named === null
      ? { image: await host.imageFor(workload === 'program' ? null : template), image_program: null }
      : await host.programImageFor(named)
  if (container !== null) await removeContainer(host, external_id)
  await rm(paths.folder, { recursive: true, force: true })
  const seen = workload === 'program' ? paths.fronts : paths.shared
  await mkdir(seen, { recursive: true })
  // The container's user looks into it, whatever this process's umask is.
  await chmod(seen, 0o755)
  const record: DockerRecord = {
    external_id,
    sandbox_id: spec.sandbox_id,
    workload,
    image_program,
    environment: { ...spec.environment },
    limits: { ...host.default_limits, ...spec.limits },
    entrypoint: template?.entrypoint ?? null,
    disk_by_engine: host.disk.by_engine,
    hosts: hostAddresses(
      destinationsOf(reachedBy({ workload, environment: spec.environment }, host.options.api_url)),
    ),
    stop_asked: false,
    ended_because: null,
  }
  const made = await createContainer(host, record, image, spec.labels ?? {})
  await writeDockerRecord(paths.state, made)
  return made
}

/** Tries the engine's own disk quota first; most storage has none, which is then remembered. */
async function createContainer(
  host: DockerHost,
  record: DockerRecord,
  image: string,
  labels: Readonly<Record<string, string>>,
): Promise<DockerRecord> {
  const options = containerOptions({
    record,
    name: containerName(record.external_id),
    image,
    labels: { ...labels, [deploymentLabel]: host.deployment, [sandboxLabel]: record.external_id },
    shared: dockerPaths(host.paths.root, record.external_id).shared,
    harnesses: host.options.harnesses,
    runtime: host.options.runtime,
    engine_cpus: host.facts.cpus,
  })
  try {
    await host.engine.call('Creating a sandbox', (abortSignal) =>
      host.engine.docker.createContainer({ ...options, abortSignal }),
    )
    return record
  } catch (error) {
    if (!record.disk_by_engine || !/storage-opt|storage driver|quota/i.test(String(error))) throw error
    host.disk.by_engine = false
    return createContainer(host, { ...record, disk_by_engine: false }, image, labels)
  }
}

export async function removeContainer(host: DockerHost, external_id: string): Promise<void> {
  const container = host.engine.docker.getContainer(containerName(external_id))
  await host.engine.find('Removing a sandbox', (abortSignal) =>
    container.remove({ force: true, v: true, abortSignal }).catch((error: unknown) => {
      // Another process is removing it.
      if (statusCode(error) !== 409) throw error
    }),
  )
}
