import { type Context, requireActor, requireProject } from '@svc/context'
import {
  harnessInstalls,
  type HarnessInstallRow,
  harnessLicences,
  harnessFacts,
  type HarnessLicenceRow,
  type HeldHarnesses,
  machines,
} from '@svc/db'
import type { harnesses as contract } from '@svc/contract'
import { ServiceError } from '@svc/errors'
import { defaultRuntime } from '@svc/facts'
import { resolveBranch } from '@svc/git'
import {
  chooseHarness,
  type FrozenHarness,
  type HarnessEntry,
  type HarnessPlace,
  type KnownHarness,
  knownHarness,
  knownHarnesses,
  licencesOf,
  pinnedVersion,
  pinnedVersions,
  unavailable,
} from '@svc/harness'
import { noWishes } from '@svc/manifest'
import type { z } from 'zod'
import { agentWishesAt, manifestAt } from '../projects/read-manifest.ts'
import { openRepository } from '../projects/repository.ts'
import { nodeMajor } from '../projects/runs-on.ts'
import { heldNowhere } from './not-held.ts'
import { policyOf } from './policy-of.ts'

type ListContext = Pick<Context, 'db' | 'principal' | 'settings' | 'now'>

/** The harnesses that the platform knows, with what stands in the way of each. */
export async function listHarnesses(ctx: ListContext) {
  requireActor(ctx)
  const known = await readKnown(ctx, ctx.settings.llm_base_url !== null)
  return { harnesses: knownHarnesses.map((one) => known(one, null)) }
}

export async function getHarness(ctx: ListContext, { name }: { readonly name: string }) {
  requireActor(ctx)
  const found = knownHarness(name)
  if (found === undefined) throw noHarness(name)
  return (await readKnown(ctx, ctx.settings.llm_base_url !== null))(found, null)
}

export function noHarness(name: string): ServiceError {
  const names = knownHarnesses.map((one) => one.name).join(', ')
  return new ServiceError(
    'not_found',
    `The platform knows no harness ${JSON.stringify(name)}; it knows ${names}`,
  )
}

/** The harness of each agent of a project, and every one that its sessions may have. */
export async function listProjectHarnesses(
  ctx: ListContext & Pick<Context, 'repositories' | 'vault' | 'signal'>,
  { project_id }: { readonly project_id: string },
) {
  const project = await requireProject(ctx, project_id, 'project.agent.read')
  const repository = await openRepository(ctx, project)
  const tip = await resolveBranch(repository, project.default_branch)
  const manifest = tip === null ? null : await manifestAt(repository, tip)
  const harnesses = manifest?.harnesses ?? []
  const base = {
    asked: null,
    harness: manifest?.harness ?? null,
    harnesses,
    runtime: manifest?.runtime ?? defaultRuntime,
    node_major: nodeMajor,
  }
  const agents: Record<string, string> = {}
  for (const { name, enabled } of manifest?.agents ?? []) {
    if (!enabled) continue
    const wishes = tip === null ? noWishes : await agentWishesAt(repository, tip, manifest, name)
    agents[name] = nameOf(chooseHarness({ ...base, of_agent: wishes.harness, variant: null }))
  }
  const facts = await harnessFacts.read(ctx.db, {
    ...{ project_id, harness: '', owner: null, secret: null },
    now: ctx.now(),
  })
  const known = await readKnown(ctx, ctx.settings.llm_base_url !== null && facts.has_gateway)
  const own = harnesses.filter((entry) => entry.command !== null)
  return {
    default: nameOf(chooseHarness({ ...base, of_agent: null, variant: null })),
    agents,
    harnesses: [
      ...knownHarnesses.map((one) => known(one, harnesses.find((entry) => entry.name === one.name) ?? null)),
      ...own.map((entry) => ofManifest(ctx, entry, facts.has_gateway)),
    ],
  }
}

function nameOf(choice: ReturnType<typeof chooseHarness>): string {
  switch (choice.kind) {
    case 'runtime':
      return choice.runtime
    case 'harness':
      return choice.harness.harness
    case 'unknown':
      return choice.harness
  }
}

function placeOf({ settings }: Pick<Context, 'settings'>, has_gateway: boolean): HarnessPlace {
  return { policy: policyOf(settings), node_major: nodeMajor, has_gateway }
}

async function readKnown(ctx: ListContext, has_gateway: boolean) {
  const [installs, licences, held] = await Promise.all([
    harnessInstalls.list(ctx.db),
    harnessLicences.listAccepted(ctx.db),
    machines.listHarnesses(ctx.db, ctx.now()),
  ])
  const place = placeOf(ctx, has_gateway)
  return (known: KnownHarness, entry: HarnessEntry | null) =>
    shown(known, entry, place, { installs, licences, held })
}

/** A harness as the wire shows it. */
type ShownHarness = Omit<z.infer<typeof contract.Harness>, 'installs'> & {
  readonly installs: ReturnType<typeof shownInstall>[]
}

interface Kept {
  readonly installs: readonly HarnessInstallRow[]
  readonly licences: readonly HarnessLicenceRow[]
  readonly held: readonly (readonly HeldHarnesses[] | null)[]
}

function shown(
  known: KnownHarness,
  entry: HarnessEntry | null,
  place: HarnessPlace,
  kept: Kept,
): ShownHarness {
  const { name, title, program, licence, proprietary, dialect, mcp, bytes, asks } = known
  const version = entry?.version ?? pinnedVersion(known, place.node_major)
  const owed = licencesOf(name, version).map((text) => ({
    name: text.package,
    ...{ spdx: text.spdx, url: text.url, sha256: text.sha256 },
    accepted: kept.licences.some((one) => one.harness === name && one.sha256 === text.sha256),
  }))
  const hindrance =
    unavailable({ harness: name, auth: entry?.auth ?? 'gateway', version }, place) ??
    heldNowhere({ harness: name, version }, kept.held) ??
    (owed.every(({ accepted }) => accepted)
      ? null
      : {
          reason: 'licence' as const,
          message: `A platform admin has to accept its licence once: svc harnesses accept ${name}`,
        })
  const package_name = program.kind === 'npm' ? program.package : null
  return {
    ...{ name, title, source: 'known' as const, package: package_name, version },
    versions: [...pinnedVersions(known)],
    licences: [
      { name: package_name ?? name, spdx: licence, url: null, sha256: null, accepted: true },
      ...owed,
    ],
    proprietary: proprietary.length > 0,
    ...{ dialect, mcp: [...mcp], auth: [...place.policy.auths], permissions: asks, bytes },
    ...{
      available: hindrance === null,
      reason: hindrance?.reason ?? null,
      message: hindrance?.message ?? ofImage(program),
    },
    installs: kept.installs.filter((one) => one.harness === name).map(shownInstall),
  }
}

/** A word on a program that is not installed by the platform: whether an image has it is known once a sandbox starts. */
function ofImage(program: KnownHarness['program']): string | null {
  if (program.kind !== 'image') return null
  return `The platform does not install it: the image of the session’s template has to bring the command ${program.command}`
}

export function shownInstall(row: HarnessInstallRow) {
  const { version, target, state, bytes_done, bytes, error, last_used_at } = row
  return { version, target, state, bytes_done, bytes, error, last_used_at }
}

function ofManifest(
  ctx: ListContext,
  { name, dialect, auth }: HarnessEntry,
  has_gateway: boolean,
): ShownHarness {
  const place = placeOf(ctx, has_gateway)
  const frozen: Pick<FrozenHarness, 'harness' | 'auth' | 'version'> = { harness: name, auth, version: null }
  const hindrance = unavailable(frozen, place)
  return {
    ...{ name, title: name, source: 'manifest' as const, package: null, version: null, versions: [] },
    ...{ licences: [], proprietary: false, dialect: dialect ?? ('chat' as const), mcp: ['http' as const] },
    ...{ auth: [...place.policy.auths], permissions: 'by_mode' as const, bytes: 0 },
    ...{
      available: hindrance === null,
      reason: hindrance?.reason ?? null,
      message: hindrance?.message ?? null,
    },
    installs: [],
  }
}
