import { recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { harnessEvictions, harnessInstalls, sessionRuntimes } from '@svc/db'
import { ServiceError } from '@svc/errors'
import { knownHarness, pinnedVersion, pinnedVersions } from '@svc/harness'
import { noHarness, nodeMajor, shownInstall } from '@svc/services'
import type { Changing } from '../context.ts'

/** Has a worker install a version before a session needs it; asked again it is the same. */
export async function installHarness(
  ctx: Changing,
  { name, version: asked }: { readonly name: string; readonly version?: string | undefined },
) {
  await requirePlatformAdmin(ctx)
  const known = knownHarness(name)
  if (known === undefined) throw noHarness(name)
  const version = asked ?? pinnedVersion(known, nodeMajor)
  const pins = pinnedVersions(known)
  if (version === null || !pins.includes(version)) {
    const message =
      pins.length === 0
        ? `${known.title} needs no install: the sandbox brings it`
        : `No pinned version of ${name} is ${version ?? `for Node ${nodeMajor}`}; pinned are ${pins.join(', ')}`
    throw new ServiceError('invalid_request', message, { issues: [{ path: 'version', message }] })
  }
  await recordOperatorAudit(ctx, ctx.db, {
    ...{ account_id: null, action: 'installHarness', target: `admin/harnesses/${name}` },
    details: { version },
  })
  await ctx.enqueue('session', 'harness.install', { harness_id: `${name}@${version}` })
  const installs = (await harnessInstalls.list(ctx.db)).filter(
    (row) => row.harness === name && row.version === version,
  )
  return { harness: name, version, installs: installs.map(shownInstall) }
}

/** Gives a version up, in every store; the workers of each delete its files within minutes. */
export async function removeHarness(
  ctx: Changing,
  { name, version }: { readonly name: string; readonly version: string },
): Promise<void> {
  await requirePlatformAdmin(ctx)
  if (knownHarness(name) === undefined) throw noHarness(name)
  await ctx.db.transaction().execute(async (tx) => {
    // A start that asks for it from now on waits, and installs it anew.
    await harnessEvictions.lockVersion(tx, name, version)
    const sessions = await sessionRuntimes.liveOf(tx, name, version)
    if (sessions.length > 0) {
      const message = `${sessions.length} live session(s) run ${name} ${version}; stop them first`
      throw new ServiceError('HARNESS_IN_USE', message, { sessions })
    }
    const count = await harnessInstalls.evict(tx, name, version, ctx.now())
    if (count === 0)
      throw new ServiceError(
        'not_found',
        `${name} ${version} is not installed anywhere; list what is installed`,
      )
    await recordOperatorAudit(ctx, tx, {
      ...{ account_id: null, action: 'removeHarness', target: `admin/harnesses/${name}` },
      details: { version },
    })
  })
}
