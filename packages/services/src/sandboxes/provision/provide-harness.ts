import { relative } from 'node:path'
import { sessionRuntimes, type sessions } from '@svc/db'
import { harnessRuntime } from '@svc/facts'
import { type HarnessLaunch, harnessesPlace, harnessLaunch, knownHarness } from '@svc/harness'
import type { SandboxContext } from '../../context.ts'
import { BootError } from './failure.ts'
import { logEvents } from '../../sessions/log/log-events.ts'
import { ensureHarness, type InstallProgress, isInstalled } from '../../harnesses/ensure-harness.ts'
import { HarnessInstallError } from '../../harnesses/installer.ts'
import { askedProvider, isHeld, notHeld } from '../../harnesses/not-held.ts'
import { policyOf } from '../../harnesses/policy-of.ts'

type HarnessSession = Pick<sessions.SessionView, 'session_id' | 'requested'>

/**
 * The harness of a session as its sandbox starts it, whose program is there before the sandbox is made; null for a runtime
 * with a server of its own.
 */
export async function provideHarness(
  ctx: SandboxContext,
  session: HarnessSession,
): Promise<HarnessLaunch | null> {
  if (session.requested.runtime !== harnessRuntime) return null
  const runtime = await sessionRuntimes.find(ctx.db, session.session_id)
  if (runtime === undefined || runtime.settings === null) return null
  const { harness, version, auth, settings } = runtime
  const folder = await installedFolder(ctx, session, { harness, version })
  return harnessLaunch({ harness, version, auth, settings }, folder)
}

/** The place of its install as the sandbox is to find it; null for a program that needs none. */
async function installedFolder(
  ctx: SandboxContext,
  { session_id, requested }: HarnessSession,
  { harness, version }: Pick<HarnessLaunch, 'harness' | 'version'>,
): Promise<string | null> {
  const known = knownHarness(harness)
  if (known?.program.kind !== 'npm' || version === null) return null
  const { harnesses, provider } = ctx
  const made_by = askedProvider(requested)
  const source = provider.harnesses(made_by)
  if (source !== 'store' && isHeld({ harness, version }, source))
    return `${harnessesPlace}/${harness}/${version}`
  if (source !== 'store' || harnesses === undefined)
    throw new BootError({
      category: 'image',
      message: notHeld({ harness, version }, made_by ?? provider.name),
      retryable: false,
    })
  const wish = { harness, version }
  if (policyOf(ctx.settings).install === 'manual' && !(await isInstalled(ctx.db, harnesses, wish)))
    throw new BootError({
      category: 'image',
      message: `${known.title} ${version} is not installed here; ask an operator for: svc harnesses install ${harness}`,
      retryable: false,
    })
  const report = progressOf(ctx, session_id, known.bytes)
  const folder = await ensureHarness({ ...ctx, harnesses }, wish, report).catch((error: unknown) => {
    if (!(error instanceof HarnessInstallError)) throw error
    throw new BootError({ category: 'image', message: error.message, retryable: false })
  })
  return `${harnessesPlace}/${relative(harnesses.root, folder)}`
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
