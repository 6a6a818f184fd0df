import type { ProviderLog } from '../shared/provider-log.ts'
import type { PoolScope, SandboxProvider, SandboxStatus } from '../provider.ts'
import { createWithFailOver } from './create-with-fail-over.ts'
import { type Member, memberId, parseMemberId } from './member-ids.ts'
import { harnessesOf, heldHarnesses } from './harnesses-of.ts'
import { templateRefusal } from '../shared/template-refusal.ts'

/**
 * Several providers as one: a sandbox is made by the first that has room and answers, and stays with that one, whose
 * name its external id begins with.
 */
export function createFailOverProvider(
  providers: readonly [SandboxProvider, SandboxProvider, ...SandboxProvider[]],
  log: ProviderLog,
): SandboxProvider {
  const name = providers.map((provider) => provider.name).join(',')
  const find = (external_id: string) => memberOf(providers, external_id)
  const sentences = (pick: (provider: SandboxProvider) => readonly string[]) =>
    providers.flatMap((provider) => pick(provider).map((sentence) => `${provider.name}: ${sentence}`))

  return {
    name,
    members: providers.map((provider) => provider.name),
    describe: () => ({
      name,
      isolated: sentences((provider) => provider.describe().isolated),
      not_isolated: sentences((provider) => provider.describe().not_isolated),
    }),
    runs: {
      processes: providers.every(({ runs }) => runs.processes),
      // One that runs none refuses the image, and the next one makes it.
      images: providers.some(({ runs }) => runs.images) && providers.every(({ runs }) => runs.processes),
      dockerfiles: providers.some(({ runs }) => runs.dockerfiles),
    },
    harnesses: (asked) => harnessesOf(providers.flatMap(heldHarnesses), asked),
    refusal: (template, asked) => templateRefusal(providers, template, asked),
    // The provider that makes it is known only afterwards.
    identify: () => null,
    providerOf: (external_id) => parseMemberId(providers, external_id)?.provider.name ?? null,
    create: (spec, signal) => createWithFailOver(providers, spec, signal, log),
    start: async (given, environment) => {
      const { provider, external_id } = await find(given)
      return provider.start(external_id, environment)
    },
    stop: async (given) => {
      const { provider, external_id } = await find(given)
      return provider.stop(external_id)
    },
    destroy: async (given) => {
      const { provider, external_id } = await find(given)
      return provider.destroy(external_id)
    },
    status: async (given): Promise<SandboxStatus> => {
      const { provider, external_id } = await find(given)
      return provider.status(external_id)
    },
    endpoint: async (given) => {
      const { provider, external_id } = await find(given)
      return provider.endpoint(external_id)
    },
    front: async (given) => {
      const { provider, external_id } = await find(given)
      return provider.front === undefined ? provider.endpoint(external_id) : provider.front(external_id)
    },
    ...imagesOf(providers),
    touch: async (given) => {
      const { provider, external_id } = await find(given)
      return provider.touch(external_id)
    },
    edge: async (given) => {
      const { provider, external_id } = await find(given)
      return (await provider.edge?.(external_id)) ?? null
    },
    environment: async (given) => {
      const { provider, external_id } = await find(given)
      return provider.environment(external_id)
    },
    exitReport: async (given) => {
      const { provider, external_id } = await find(given)
      return provider.exitReport(external_id)
    },
    list: async () => {
      const each = providers.map(async (provider) =>
        (await provider.list()).map((external_id) => memberId({ provider, external_id })),
      )
      return (await Promise.all(each)).flat()
    },
    ...(providers.every((provider) => provider.running !== undefined)
      ? { running: (given: readonly string[]) => runningOf(providers, given) }
      : {}),
    ...(providers.every((provider) => provider.adopt !== undefined)
      ? {
          adopt: async (given: string, environment: Readonly<Record<string, string>>) => {
            const { provider, external_id } = await find(given)
            await provider.adopt?.(external_id, environment)
          },
        }
      : {}),
    prepare: async (template) => {
      for (const provider of providers) await provider.prepare?.(template)
    },
    poolScope: () => poolScopeOf(providers),
    close: async (options) => {
      const closed = await Promise.allSettled(providers.map((provider) => provider.close(options)))
      const failed = closed.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
    },
  }
}

/** The first that runs images makes them. */
function imagesOf(providers: readonly SandboxProvider[]): Pick<SandboxProvider, 'images'> {
  const images = providers.find((provider) => provider.images !== undefined)?.images
  return images === undefined ? {} : { images }
}

/** Each member is asked of its own; an old id, which names none, is left out. */
async function runningOf(
  providers: readonly SandboxProvider[],
  given: readonly string[],
): Promise<ReadonlySet<string>> {
  const members = given.flatMap((external_id) => parseMemberId(providers, external_id) ?? [])
  const each = providers.map(async (provider) => {
    const own = members.filter((member) => member.provider === provider)
    if (own.length === 0) return []
    const running = await provider.running?.(own.map(({ external_id }) => external_id))
    return own.filter(({ external_id }) => running?.has(external_id)).map(memberId)
  })
  return new Set((await Promise.all(each)).flat())
}

/** A pool of several is one machine's unless none of them is. */
function poolScopeOf(providers: readonly SandboxProvider[]): PoolScope {
  const scopes = providers.map((provider) => provider.poolScope?.() ?? null)
  const places = scopes.map((scope) => scope?.place ?? null)
  return {
    place: places.every((place) => place !== null) ? places.flat() : null,
    recipe: scopes.flatMap((scope) => scope?.recipe ?? []),
    start_ms: Math.max(...scopes.map((scope) => scope?.start_ms ?? 0)),
  }
}

/** Finds the provider of an id. An old id names none: then the one that has the sandbox, or else may have it. */
async function memberOf(
  providers: readonly [SandboxProvider, ...SandboxProvider[]],
  external_id: string,
): Promise<Member> {
  const named = parseMemberId(providers, external_id)
  if (named !== null) return named
  let doubtful: SandboxProvider | null = null
  for (const provider of providers) {
    const status = await provider.status(external_id)
    if (status === 'running' || status === 'stopped') return { provider, external_id }
    if (status === 'unknown') doubtful ??= provider
  }
  return { provider: doubtful ?? providers[0], external_id }
}
