import { knownHarness } from '@svc/harness'
import type { Finding } from '../issue.ts'
import { error, warning } from '../issue.ts'
import type { Manifest } from '../model/manifest.ts'
import { isMapping, textAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { unknownHarness } from './harnesses.ts'

/** The rules for `harness` in an agent's own file, and for what that harness makes of the rest of it. */
export function harnessFindings(
  { harness, harnesses }: Pick<Manifest, 'harness' | 'harnesses'>,
  frontmatter: Mapping,
): readonly Finding[] {
  const own = textAt(frontmatter, 'harness')
  const problem =
    own === undefined || own === ''
      ? null
      : unknownHarness(
          own,
          harnesses.map(({ name }) => name),
        )
  if (problem !== null) return [error(['harness'], problem)]
  const known = knownHarness(own ?? harness ?? '')
  if (known?.asks !== 'never' || !denies(frontmatter['permission'])) return []
  return [warning(['permission'], `is not enforced: ${known.title} never asks before it acts`)]
}

function denies(permission: unknown): boolean {
  if (permission === 'deny') return true
  return isMapping(permission) && Object.values(permission).some(denies)
}
