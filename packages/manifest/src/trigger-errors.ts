import type { Finding } from './issue.ts'
import { messageText, pathText } from './issue.ts'
import { manifestLimits } from './limits.ts'
import type { Manifest } from './model/manifest.ts'
import { listAt, textAt } from './raw.ts'
import type { Mapping } from './raw.ts'

/** The reason that a trigger is not in the list of triggers. */
export interface TriggerError {
  readonly slug: string | null
  readonly path: string
  readonly error: string
}

/** The errors of triggers; when nothing could be read, the reason for that. */
export function triggerErrors(
  findings: readonly Finding[],
  manifest: Manifest | null,
  data: Mapping | undefined,
): readonly TriggerError[] {
  const entries = listAt(data, 'triggers')
  const errors = findings
    .filter(({ path, severity }) => severity === 'error' && (manifest === null || path[0] === 'triggers'))
    .sort((a, b) => indexOf(a) - indexOf(b))
    .slice(0, manifestLimits.issues)
    .map((finding): TriggerError => {
      const { path } = finding
      const index = path[0] === 'triggers' ? path[1] : undefined
      const slug = typeof index === 'number' ? (textAt(entries[index], 'slug') ?? null) : null
      return { slug, path: pathText(path), error: messageText(finding) }
    })
  return manifest === null ? errors : [...errors, ...unexplained(entries, manifest, errors)]
}

/** A trigger may be whole and still unusable: when it relies on a default agent that the manifest lacks. */
function unexplained(
  entries: readonly unknown[],
  manifest: Manifest,
  errors: readonly TriggerError[],
): readonly TriggerError[] {
  if (manifest.default_agent !== null) return []
  const listed = new Set(manifest.triggers.map((trigger) => trigger.slug))
  const explained = new Set(errors.map((one) => /^triggers\[\d+\]/.exec(one.path)?.[0]))
  const all = entries.flatMap((entry, index) => {
    const path = `triggers[${index}]`
    const slug = textAt(entry, 'slug') ?? null
    if (explained.has(path) || (slug !== null && listed.has(slug))) return []
    return [
      {
        slug,
        path: `${path}.agent`,
        error: 'names no agent, and `default_agent` names none that can be used',
      },
    ]
  })
  return all.slice(0, manifestLimits.issues)
}

function indexOf({ path }: Finding): number {
  return typeof path[1] === 'number' ? path[1] : -1
}
