import {
  checkSandbox,
  deliverPrompts,
  destroySandbox,
  evictSandbox,
  hibernateSandbox,
  provisionSandbox,
  releaseSandbox,
  renewSecrets,
  runManifestEdit,
  runMergeAttempt,
  type SandboxContext,
  stopSandbox,
} from '../index.ts'
import type { TestJob } from './test-queue.ts'

const sessionJobs: Readonly<
  Record<string, (ctx: SandboxContext, input: { session_id: string }) => Promise<void>>
> = {
  'sandbox.provision': provisionSandbox,
  'sandbox.stop': stopSandbox,
  'sandbox.destroy': destroySandbox,
  'sandbox.check': checkSandbox,
  'sandbox.hibernate': hibernateSandbox,
  'sandbox.evict': evictSandbox,
  'sandbox.release': releaseSandbox,
  'sandbox.secrets': renewSecrets,
  'prompts.deliver': deliverPrompts,
}

/** Runs a job of this name as the workers do. */
export async function runJob(ctx: SandboxContext, { name, id }: TestJob): Promise<void> {
  if (name === 'change-request.merge') return runMergeAttempt(ctx, { attempt_id: id })
  if (name === 'manifest.edit') return runManifestEdit(ctx, { attempt_id: id })
  const verb = sessionJobs[name]
  if (!verb) throw new Error(`Nobody runs the job ${name}`)
  await verb(ctx, { session_id: id })
}
