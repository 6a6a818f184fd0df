import { type ManifestRuntime, manifestRuntimes } from '@svc/facts'
import type { FrozenHarness, HarnessEntry } from './frozen.ts'
import { knownHarness, knownHarnesses, pinnedVersion } from './known/known.ts'

export interface HarnessWishes {
  /** The name that the session's creator gave. */
  readonly asked: string | null
  /** The name in the agent's own file, and its `variant`. */
  readonly of_agent: string | null
  readonly variant: string | null
  /** The manifest's. */
  readonly harness: string | null
  readonly harnesses: readonly HarnessEntry[]
  readonly runtime: ManifestRuntime
  /** The major version of Node that runs the sandboxes. */
  readonly node_major: number
}

export type HarnessChoice =
  | { readonly kind: 'runtime'; readonly runtime: ManifestRuntime }
  | { readonly kind: 'harness'; readonly harness: FrozenHarness }
  | { readonly kind: 'unknown'; readonly harness: string; readonly known: readonly string[] }

/** The first that was named: by the creator, the agent's file, the manifest; else the manifest's runtime. */
export function chooseHarness(wishes: HarnessWishes): HarnessChoice {
  const { runtime, harnesses, variant, node_major } = wishes
  const name = wishes.asked ?? wishes.of_agent ?? wishes.harness ?? runtime
  const named = manifestRuntimes.find((known) => known === name)
  if (named !== undefined) return { kind: 'runtime', runtime: named }
  const entry = harnesses.find((one) => one.name === name)
  const known = knownHarness(name)
  if (known === undefined && (entry?.command ?? null) === null)
    return { kind: 'unknown', harness: name, known: harnessNames(harnesses) }
  return {
    kind: 'harness',
    harness: {
      harness: name,
      version: known === undefined ? null : (entry?.version ?? pinnedVersion(known, node_major)),
      auth: entry?.auth ?? 'gateway',
      settings: {
        command: known === undefined ? [...(entry?.command ?? [])] : null,
        dialect: known?.dialect ?? entry?.dialect ?? 'chat',
        env: { ...entry?.env },
        model_env: [...(entry?.model_env ?? [])],
        mode: entry?.mode ?? null,
        options: { ...entry?.options },
        variant,
      },
    },
  }
}

/** The names that a manifest with these entries may use. */
export function harnessNames(harnesses: readonly Pick<HarnessEntry, 'name'>[]): readonly string[] {
  const own = harnesses.map(({ name }) => name)
  const known = knownHarnesses.map(({ name }) => name)
  return [...new Set([...manifestRuntimes, ...known, ...own])]
}
