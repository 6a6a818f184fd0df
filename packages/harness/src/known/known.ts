import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import { goose } from './goose.ts'
import type { KnownHarness } from './known-harness.ts'
import { opencode } from './opencode.ts'
import { piAcp } from './pi-acp.ts'

/** Every harness that the platform knows: a file beside this one, and a line here. */
export const knownHarnesses: readonly KnownHarness[] = [opencode, claude, codex, gemini, piAcp, goose]

export function knownHarness(name: string): KnownHarness | undefined {
  return knownHarnesses.find((known) => known.name === name)
}

/** The version that is pinned for a major version of Node; null for a program that npm does not bring. */
export function pinnedVersion({ program }: KnownHarness, node_major: number): string | null {
  if (program.kind !== 'npm') return null
  const pins: Readonly<Record<number, string>> = program.pins
  return pins[node_major] ?? null
}

/** Every version that the manifest may name. */
export function pinnedVersions({ program }: KnownHarness): readonly string[] {
  return program.kind === 'npm' ? [...new Set(Object.values(program.pins))] : []
}
