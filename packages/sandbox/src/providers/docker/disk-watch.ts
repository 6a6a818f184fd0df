import { z } from 'zod'
import { limitExceeded } from '../../shared/limit-exceeded.ts'
import { containerName } from './containers/containers.ts'
import type { DockerHost } from './docker-host.ts'
import { dockerPaths } from './paths.ts'
import { type DockerRecord, readDockerRecord, writeDockerRecord } from './record.ts'

const megabyte = 1024 * 1024
const Size = z.object({ SizeRw: z.number() })

/** Named boundary: the client passes on every option, and its types know this one of a list alone. */
function measured(abortSignal: AbortSignal): { abortSignal: AbortSignal } {
  return { abortSignal, size: true } as { abortSignal: AbortSignal }
}

/**
 * Ends a sandbox that has written more than its disk, where the engine's storage cannot hold it to that. Between two
 * looks it can write more; it gets a tenth more at its next start, to clean up.
 */
export async function checkDisk(
  host: DockerHost,
  external_id: string,
  alone: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { state } = dockerPaths(host.paths.root, external_id)
  const record = await readDockerRecord(state)
  const limit = record?.limits.disk_mb
  if (limit === undefined || record?.disk_by_engine === true) return
  const written_mb = await writtenMegabytes(host, external_id)
  if (written_mb === null || written_mb <= limit) return
  await alone(async () => {
    // It may have been removed, or started again, while it was measured.
    const now = await readDockerRecord(state)
    if (now === null || now.limits.disk_mb !== limit) return
    await end(host, { record: now, limit, written_mb })
  })
}

async function end(
  host: DockerHost,
  found: { readonly record: DockerRecord; readonly limit: number; readonly written_mb: number },
): Promise<void> {
  const { record, limit, written_mb } = found
  const { external_id } = record
  const ended_because = limitExceeded('disk', limit)
  host.log('warn', 'a sandbox has filled its disk and was ended', { external_id, written_mb, disk_mb: limit })
  const limits = { ...record.limits, disk_mb: Math.ceil(written_mb * 1.1) }
  await writeDockerRecord(dockerPaths(host.paths.root, external_id).state, {
    ...record,
    limits,
    ended_because,
  })
  const container = host.engine.docker.getContainer(containerName(external_id))
  await host.engine
    .find('Ending a sandbox', (abortSignal) => container.kill({ abortSignal }))
    .catch((error: unknown) => {
      host.log('warn', 'a sandbox could not be ended', { external_id, error: String(error) })
    })
}

async function writtenMegabytes(host: DockerHost, external_id: string): Promise<number | null> {
  const container = host.engine.docker.getContainer(containerName(external_id))
  const found = await host.engine.find('Measuring a sandbox', (abortSignal) =>
    container.inspect(measured(abortSignal)),
  )
  const bytes = Size.safeParse(found).data?.SizeRw
  return bytes === undefined ? null : Math.ceil(bytes / megabyte)
}
