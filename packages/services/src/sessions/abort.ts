import type { Context } from '@svc/context'
import { driveSandbox } from '../sandboxes/drive.ts'
import type { SessionInput } from './find-session.ts'
import { requireDriver } from './session-access.ts'

const abortMs = 10_000

/** Ends the agent's current turn; prompts that wait go on afterwards. No turn to end is no error. */
export async function abortSession(
  ctx: Pick<Context, 'db' | 'principal' | 'now' | 'newId' | 'trail' | 'vault' | 'log'>,
  input: SessionInput,
): Promise<{ ok: true }> {
  const { session } = await requireDriver(ctx, input)
  await driveSandbox(ctx, session, { action: 'abortSession', path: '/svc/abort', timeout_ms: abortMs })
  return { ok: true }
}
