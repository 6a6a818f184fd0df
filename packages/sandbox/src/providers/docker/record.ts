import { z } from 'zod'
import { readRecordFile, writeRecordFile } from '../../shared/record-file.ts'

const limit = z.number().positive().exactOptional()

const DockerRecord = z.object({
  external_id: z.string(),
  sandbox_id: z.string(),
  workload: z.enum(['session', 'program']).default('session'),
  /** The beginning of the program of its image; null for a session, and in the platform's own image. */
  image_program: z
    .object({
      command: z.array(z.string()).readonly(),
      folder: z.string(),
      environment: z.record(z.string(), z.string()),
      user: z.string(),
    })
    .nullable()
    .default(null),
  environment: z.record(z.string(), z.string()),
  limits: z.object({ cpu: limit, memory_mb: limit, disk_mb: limit, pids: limit }),
  /** A command of its template that runs beside the daemon. */
  entrypoint: z.string().nullable(),
  /** True when the engine itself holds the sandbox to its disk limit. */
  disk_by_engine: z.boolean(),
  /** The name in each sandbox for a host that is reached through the relay, and its address there. */
  hosts: z.record(z.string(), z.string()),
  /** True once a stop was asked for, after which an exit says nothing. */
  stop_asked: z.boolean(),
  /** The reason that the platform itself ended it; null when it did not. */
  ended_because: z.string().nullable(),
})

export type DockerRecord = z.infer<typeof DockerRecord>

export function readDockerRecord(path: string): Promise<DockerRecord | null> {
  return readRecordFile(path, DockerRecord)
}

export function writeDockerRecord(path: string, record: DockerRecord): Promise<void> {
  return writeRecordFile(path, record)
}
