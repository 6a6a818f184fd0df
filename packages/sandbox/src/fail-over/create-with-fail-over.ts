import type { CreatedSandbox, SandboxProvider, SandboxSpec } from '../provider.ts'
import type { ProviderLog } from '../shared/provider-log.ts'
import { SandboxError, type SandboxErrorKind } from '../sandbox-error.ts'
import { memberId } from './member-ids.ts'
import { templateRefusal } from '../shared/template-refusal.ts'

/** Errors after which another provider is tried. Others end the attempt: a broken image is broken everywhere. */
const passedOn: readonly SandboxErrorKind[] = ['capacity', 'quota', 'network']

/**
 * Creates with the first provider that can. One that has the sandbox already, from an earlier try, is asked alone: its
 * files are there and nowhere else.
 */
export async function createWithFailOver(
  providers: readonly SandboxProvider[],
  spec: SandboxSpec,
  signal: AbortSignal | undefined,
  log: ProviderLog,
): Promise<CreatedSandbox> {
  const holder = await findHolder(providers, spec.sandbox_id)
  const refusal = spec.template ? templateRefusal(providers, spec.template, spec.provider) : null
  if (refusal !== null) throw new SandboxError('image', refusal)
  // A provider that does not make such a template is passed over, and not said to have failed.
  const wanted = providers.filter(
    (provider) =>
      (spec.provider === undefined || spec.provider === provider.name) &&
      (!spec.template || provider.refusal(spec.template) === null),
  )
  const refusals: { readonly name: string; readonly error: SandboxError }[] = []
  for (const provider of holder === null ? wanted : [holder]) {
    signal?.throwIfAborted()
    try {
      const { external_id, endpoint } = await provider.create(spec, signal)
      return { external_id: memberId({ provider, external_id }), endpoint, provider: provider.name }
    } catch (error) {
      if (!(error instanceof SandboxError) || !passedOn.includes(error.kind) || holder !== null) throw error
      refusals.push({ name: provider.name, error })
      log('warn', 'a provider cannot make a sandbox', { provider: provider.name, error: error.message })
      await removeLeftovers(provider, spec.sandbox_id)
    }
  }
  throw allRefused(refusals)
}

async function findHolder(
  providers: readonly SandboxProvider[],
  sandbox_id: string,
): Promise<SandboxProvider | null> {
  for (const provider of providers) {
    const external_id = provider.identify(sandbox_id)
    const status = external_id === null ? 'removed' : await provider.status(external_id)
    if (status === 'running' || status === 'stopped') return provider
  }
  return null
}

/** A create that got no answer may have been done all the same. */
async function removeLeftovers(provider: SandboxProvider, sandbox_id: string): Promise<void> {
  const external_id = provider.identify(sandbox_id)
  if (external_id !== null) await provider.destroy(external_id).catch(() => undefined)
}

function allRefused(
  refusals: readonly { readonly name: string; readonly error: SandboxError }[],
): SandboxError {
  const [first] = refusals
  const words = refusals.map(({ name, error }) => `${name}: ${error.message}`).join(' ')
  return new SandboxError(first?.error.kind ?? 'internal', `No provider can make the sandbox. ${words}`, {
    retryable: refusals.some(({ error }) => error.retryable),
    cause: first?.error,
  })
}
