import { machines } from '@svc/db'
import type { SandboxContext } from '../../context.ts'
import { checkSandbox } from '../check.ts'
import { deliverPrompts } from '../deliver-prompts.ts'
import { evictSandbox } from '../evict.ts'
import { hibernateSandbox } from '../hibernate.ts'
import { provisionSandbox } from '../provision/provision.ts'
import { releaseSandbox } from '../release.ts'
import { renewSecrets } from '../renew-secrets.ts'
import { destroySandbox, stopSandbox } from '../stop.ts'

type Ids = { readonly session_id: string }
type Verb = (ctx: SandboxContext, ids: Ids) => Promise<void>

/** The jobs that ask the provider of a sandbox, which only workers of its machine do. */
const ofProvider = {
  'sandbox.provision': provisionSandbox,
  'sandbox.stop': stopSandbox,
  'sandbox.destroy': destroySandbox,
  'sandbox.check': checkSandbox,
  'sandbox.hibernate': hibernateSandbox,
  'sandbox.evict': evictSandbox,
  'sandbox.release': releaseSandbox,
  'sandbox.secrets': renewSecrets,
} as const satisfies Readonly<Record<string, Verb>>

/** Prompts go to the sandbox’s own address, from wherever. */
const anywhere = { 'prompts.deliver': deliverPrompts } as const satisfies Readonly<Record<string, Verb>>

type ProviderJob = keyof typeof ofProvider
export type SandboxJob = ProviderJob | keyof typeof anywhere

export const sandboxJobs = [...Object.keys(ofProvider), ...Object.keys(anywhere)] as readonly SandboxJob[]

/** Time that a job of another machine is left to its workers, before the worker that takes it next looks again. */
const elsewhereMs = 200

/** Runs a job of a session, or leaves it to the machine of its sandbox. */
export async function runSandboxJob(ctx: SandboxContext, name: SandboxJob, ids: Ids): Promise<void> {
  if (name === 'prompts.deliver') return anywhere[name](ctx, ids)
  if (await isElsewhere(ctx, name, ids)) await ctx.enqueue('session', name, ids, { delay_ms: elsewhereMs })
  else await ofProvider[name](ctx, ids)
}

async function isElsewhere(
  { db, machine, door, now }: SandboxContext,
  name: ProviderJob,
  { session_id }: Ids,
): Promise<boolean> {
  if (machine === undefined) return false
  const asked = { session_id, starts: name === 'sandbox.provision' }
  return (await machines.homeOf(db, asked, { machine, door }, now())) !== null
}
