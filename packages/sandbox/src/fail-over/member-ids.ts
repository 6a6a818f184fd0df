import type { SandboxProvider } from '../provider.ts'

export interface Member {
  readonly provider: SandboxProvider
  /** Its own name for the sandbox. */
  readonly external_id: string
}

/** `docker.sbx_…`: whose sandbox it is, and what that provider calls it. */
export function memberId({ provider, external_id }: Member): string {
  return `${provider.name}.${external_id}`
}

/** Null for an id without a member's name: one from before there were several providers, or one of no sandbox. */
export function parseMemberId(providers: readonly SandboxProvider[], external_id: string): Member | null {
  const provider = providers.find(({ name }) => external_id.startsWith(`${name}.`))
  return provider === undefined
    ? null
    : { provider, external_id: external_id.slice(provider.name.length + 1) }
}
