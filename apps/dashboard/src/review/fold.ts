import type { FilePatch } from './patch-parts.ts'

const manyLines = 400
const longPatch = 400_000
const generated =
  /(^|\/)(package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|composer\.lock|Gemfile\.lock|go\.sum|flake\.lock)$|\.min\.(js|css)$|(^|\/)(dist|vendor|node_modules)\/|\.(snap|map)$/

/** The reason that a file is folded when a review begins; null for one that is read. */
export function foldReason({ file, patch }: FilePatch): string | null {
  if (file.status === 'deleted') return 'Deleted'
  if (generated.test(file.path)) return 'Generated'
  if (file.additions + file.deletions > manyLines || (patch?.length ?? 0) > longPatch) return 'Large'
  return null
}
