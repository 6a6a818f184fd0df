import { z } from 'zod'
import { readRecordFile, writeRecordFile } from '../../shared/record-file.ts'

const Identity = z.object({ pid: z.number().int().positive(), began: z.string() })

const Run = z.discriminatedUnion('status', [
  /** Not started yet, or ended because that was asked for. */
  z.object({ status: z.literal('stopped') }),
  /**
   * Started; whether it still lives is asked of the machine. `inner` is the first process of its pid namespace. Not
   * `begun`: its platform had not let it go yet, and if that is gone, the process goes as well.
   */
  z.object({
    status: z.literal('started'),
    outer: Identity,
    inner: Identity.nullable(),
    begun: z.boolean().default(true),
  }),
])

const SandboxRecord = z.object({
  external_id: z.string(),
  sandbox_id: z.string(),
  scope: z.string(),
  workload: z.enum(['session', 'program']).default('session'),
  environment: z.record(z.string(), z.string()),
  limits: z.object({
    cpu: z.number().exactOptional(),
    memory_mb: z.number().exactOptional(),
    disk_mb: z.number().exactOptional(),
    pids: z.number().exactOptional(),
  }),
  /** Null where sandboxes run as the platform's own user. */
  uid: z.number().int().positive().nullable(),
  /** own: a network namespace, whose daemon is reached over a unix socket. */
  network: z.enum(['own', 'shared']).default('shared'),
  address: z.string(),
  service_port: z.number().int(),
  runtime_port: z.number().int(),
  run: Run,
  /** The reason that the platform itself ended its last run, in words for people. */
  ended_because: z.string().nullable().default(null),
  /** Disk that a sandbox may take meanwhile, once it was ended for its disk. */
  disk_allowance_mb: z.number().exactOptional(),
})

export type SandboxRecord = z.infer<typeof SandboxRecord>

/** Null when there is no such sandbox, or when it is another deployment's. */
export async function readRecord(path: string, scope: string): Promise<SandboxRecord | null> {
  const record = await readRecordFile(path, SandboxRecord)
  return record?.scope === scope ? record : null
}

export function writeRecord(path: string, record: SandboxRecord): Promise<void> {
  return writeRecordFile(path, record)
}
