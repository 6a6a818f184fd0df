import { sessionRuntimes, type sessions } from '@svc/db'
import { harnessRuntime } from '@svc/facts'
import { knownHarness, openPolicy } from '@svc/harness'
import type { SandboxContext } from '../../context.ts'
import { BootError } from './failure.ts'
import { logEvents } from '../../sessions/log/log-events.ts'
import { ensureHarness, type InstallProgress, isInstalled } from '../../harnesses/ensure-harness.ts'
import { HarnessInstallError } from '../../harnesses/installer.ts'

/** Sees to it that the program of a session's agent is there before its sandbox is made; gives its folder, if it has one. */
export async function provideHarness(
  ctx: SandboxContext,
  session: Pick<sessions.SessionView, 'session_id' | 'requested'>,
): Promise<string | null> {
  const { session_id, requested } = session
  if (requested.runtime !== harnessRuntime) return null
  const runtime = await sessionRuntimes.find(ctx.db, session_id)
  if (runtime === undefined || runtime.settings === null) return null
  const { harness, version } = runtime
  const known = knownHarness(harness)
  if (known?.program.kind !== 'npm' || version === null) return null
  const { harnesses } = ctx
  const made_by = requested.provider === 'auto' ? undefined : requested.provider
  if (harnesses === undefined || !harnesses.reaches(made_by))
    throw new BootError({
      category: 'image',
      message: `Sandboxes of ${made_by ?? ctx.provider.name} do not hold ${known.title} yet: start the session in another provider, or with another harness`,
      retryable: false,
    })
  const wish = { harness, version }
  if (
    (ctx.settings.harnesses ?? openPolicy).install === 'manual' &&
    !(await isInstalled(ctx.db, harnesses, wish))
  )
    throw new BootError({
      category: 'image',
      message: `${known.title} ${version} is not installed here; ask an operator for: svc harnesses install ${harness}`,
      retryable: false,
    })
  const report = progressOf(ctx, session_id, known.bytes)
  return ensureHarness({ ...ctx, harnesses }, wish, report).catch((error: unknown) => {
    if (!(error instanceof HarnessInstallError)) throw error
    throw new BootError({ category: 'image', message: error.message, retryable: false })
  })
}

const everyMs = 1_000

/** Reports to those who wait how far an install is, at most once a second; nothing of one that is there already. */
function progressOf(ctx: SandboxContext, session_id: string, bytes: number) {
  let last = 0
  return async ({ bytes_done }: InstallProgress): Promise<void> => {
    const now = ctx.now()
    if (now.getTime() - last < everyMs) return
    last = now.getTime()
    const payload = { state: 'installing', bytes_done, bytes }
    await ctx.db.transaction().execute(async (tx) => {
      await logEvents(ctx, tx, session_id, [{ type: 'runtime', at: now, payload }])
    })
  }
}
