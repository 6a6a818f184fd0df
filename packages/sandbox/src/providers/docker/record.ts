import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { errorCode, SandboxError } from '../../sandbox-error.ts'

const limit = z.number().positive().exactOptional()

const DockerRecord = z.object({
  external_id: z.string(),
  sandbox_id: z.string(),
  environment: z.record(z.string(), z.string()),
  limits: z.object({ cpu: limit, memory_mb: limit, disk_mb: limit, pids: limit }),
  /** A command of its template that runs beside the daemon. */
  entrypoint: z.string().nullable(),
  /** Whether the engine itself holds it to its disk. */
  disk_by_engine: z.boolean(),
  /** The name in each sandbox for a host that is reached through the relay, and its address there. */
  hosts: z.record(z.string(), z.string()),
  /** Whether a stop was asked for, after which an exit says nothing. */
  stop_asked: z.boolean(),
  /** Why the platform itself ended it; null when it did not. */
  ended_because: z.string().nullable(),
})

export type DockerRecord = z.infer<typeof DockerRecord>

export async function readDockerRecord(path: string): Promise<DockerRecord | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  try {
    return DockerRecord.parse(JSON.parse(text))
  } catch (cause) {
    throw new SandboxError('internal', `A sandbox's record cannot be read: ${path}`, { cause })
  }
}

/** Holds the environment, and with it secrets: for the platform's eyes only, and never half written. */
export async function writeDockerRecord(path: string, record: DockerRecord): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, JSON.stringify(record, null, 2), { mode: 0o600 })
  await rename(draft, path)
}
