import { recordOperatorAudit, requirePlatformAdmin } from '@svc/context'
import { harnessLicences } from '@svc/db'
import { knownHarness, type LicenceText, licencesOf, pinnedVersions } from '@svc/harness'
import { noHarness } from '@svc/services'
import type { Changing, Looking } from '../context.ts'
import { otherText } from './other-text.ts'

/** The texts of every pinned version, each once. */
function textsOf(name: string): readonly LicenceText[] {
  const known = knownHarness(name)
  if (known === undefined) throw noHarness(name)
  const texts = pinnedVersions(known).flatMap((version) => licencesOf(name, version))
  return [...new Map(texts.map((text) => [text.sha256, text])).values()]
}

/** The texts that have to be accepted before a harness starts, with who accepted them. */
export async function getHarnessLicence(ctx: Looking, { name }: { readonly name: string }) {
  await requirePlatformAdmin(ctx)
  return read(ctx, name)
}

async function read({ db }: Pick<Looking, 'db'>, name: string) {
  const texts = textsOf(name)
  const accepted = await harnessLicences.listAccepted(db)
  return {
    harness: name,
    licences: texts.map(({ package: package_name, sha256, text }) => {
      const found = accepted.find((one) => one.harness === name && one.sha256 === sha256)
      const { accepted_at = null, accepted_by = null } = found ?? {}
      return { name: package_name, sha256, text, accepted_at, accepted_by }
    }),
  }
}

/** Accepts a text for the whole platform, by its hash: that of the text that was read. */
export async function acceptHarnessLicence(
  ctx: Changing,
  { name, sha256 }: { readonly name: string; readonly sha256: string },
) {
  const { user_id: accepted_by } = await requirePlatformAdmin(ctx)
  const texts = textsOf(name)
  const text = texts.find((one) => one.sha256 === sha256)
  if (text === undefined) throw otherText(name, texts)
  await ctx.db.transaction().execute(async (tx) => {
    await harnessLicences.accept(tx, {
      ...{ licence_id: ctx.newId(), harness: name, sha256, text_url: text.url },
      ...{ accepted_by, accepted_at: ctx.now() },
    })
    await recordOperatorAudit(ctx, tx, {
      ...{ account_id: null, action: 'acceptHarnessLicence', target: `admin/harnesses/${name}` },
      details: { sha256 },
    })
  })
  return read(ctx, name)
}

/** Sessions that run go on; none starts any more. */
export async function revokeHarnessLicence(
  ctx: Changing,
  { name }: { readonly name: string },
): Promise<void> {
  const { user_id } = await requirePlatformAdmin(ctx)
  textsOf(name)
  await ctx.db.transaction().execute(async (tx) => {
    await harnessLicences.revoke(tx, name, user_id, ctx.now())
    await recordOperatorAudit(ctx, tx, {
      ...{ account_id: null, action: 'revokeHarnessLicence', target: `admin/harnesses/${name}`, details: {} },
    })
  })
}
