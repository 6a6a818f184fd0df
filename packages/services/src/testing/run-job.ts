import {
  runManifestEdit,
  runMergeAttempt,
  runSandboxJob,
  type SandboxContext,
  type SandboxJob,
  sandboxJobs,
} from '../index.ts'
import type { TestJob } from './test-queue.ts'

/** Runs a job of this name as the workers do. */
export async function runJob(ctx: SandboxContext, { name, id }: TestJob): Promise<void> {
  if (name === 'change-request.merge') return runMergeAttempt(ctx, { attempt_id: id })
  if (name === 'manifest.edit') return runManifestEdit(ctx, { attempt_id: id })
  if (!isSandboxJob(name)) throw new Error(`Nobody runs the job ${name}`)
  await runSandboxJob(ctx, name, { session_id: id })
}

const isSandboxJob = (name: string): name is SandboxJob => sandboxJobs.some((job) => job === name)
