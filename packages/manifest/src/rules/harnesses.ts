import { manifestRuntimes } from '@svc/facts'
import { harnessNames, knownHarness, pinnedVersions } from '@svc/harness'
import type { Finding } from '../issue.ts'
import { error, warning } from '../issue.ts'
import { isMapping, mappingAt, textAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { choice, didYouMean, quoted } from '../suggest.ts'

const runtimes: readonly string[] = manifestRuntimes

/** The rules between `harness`, `harnesses` and the programs that the platform knows. */
export function harnessRules(manifest: Mapping): readonly Finding[] {
  const harnesses = mappingAt(manifest, 'harnesses')
  const name = textAt(manifest, 'harness')
  return [
    ...(name === undefined || name === '' ? [] : namedRules(manifest, name, Object.keys(harnesses))),
    ...Object.entries(harnesses).flatMap(([entry, value]) =>
      isMapping(value) ? entryRules(entry, value) : [],
    ),
  ]
}

function namedRules(manifest: Mapping, name: string, own: readonly string[]): readonly Finding[] {
  const problem = unknownHarness(name, own)
  if (problem !== null) return [error(['harness'], problem)]
  return Object.hasOwn(manifest, 'runtime')
    ? [warning(['runtime'], 'does nothing for agents that `harness` is for')]
    : []
}

/** The reason that no harness has this name; null when one has it. */
export function unknownHarness(name: string, own: readonly string[]): string | null {
  const names = harnessNames(own.map((one) => ({ name: one })))
  if (names.includes(name)) return null
  return `no harness is named ${quoted(name)}${didYouMean(name, names) || `; known are ${choice(names)}`}`
}

function entryRules(name: string, entry: Mapping): readonly Finding[] {
  const path = ['harnesses', name]
  if (runtimes.includes(name))
    return [error(path, `${quoted(name)} is a runtime of its own and takes no settings here`)]
  const known = knownHarness(name)
  if (known === undefined) {
    return [
      ...(Object.hasOwn(entry, 'command')
        ? []
        : [
            error(
              [...path, 'command'],
              () =>
                `required: the platform knows no harness ${quoted(name)}${didYouMean(name, harnessNames([]))}`,
            ),
          ]),
      ...refused(path, entry, 'version', 'only a harness that the platform installs has a version'),
    ]
  }
  const version = textAt(entry, 'version')
  const pins = pinnedVersions(known)
  return [
    ...refused(
      path,
      entry,
      'command',
      `the platform starts ${quoted(name)} itself: choose another name for a program of your own`,
    ),
    ...refused(path, entry, 'dialect', `${quoted(name)} speaks its own`),
    ...(version === undefined || pins.includes(version)
      ? []
      : [
          error(
            [...path, 'version'],
            pins.length === 0
              ? `${quoted(name)} has no version to choose`
              : `no pinned version of ${quoted(name)} is ${quoted(version)}; pinned are ${choice(pins)}`,
          ),
        ]),
  ]
}

function refused(path: readonly string[], entry: Mapping, key: string, why: string): readonly Finding[] {
  return Object.hasOwn(entry, key) ? [error([...path, key], `is not allowed: ${why}`)] : []
}
