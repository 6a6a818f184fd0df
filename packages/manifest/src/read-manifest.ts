import type { Finding, Issue } from './issue.ts'
import { error, pathText, placeFindings } from './issue.ts'
import { legacyFindings } from './legacy/legacy.ts'
import { legacyLayout } from './legacy/layout.ts'
import type { Manifest } from './model/manifest.ts'
import { normalise } from './model/normalise.ts'
import type { Trigger } from './model/trigger.ts'
import { isMapping, kindOf } from './raw.ts'
import type { Mapping } from './raw.ts'
import { agentRules, namingOwnFiles } from './rules/agents.ts'
import { harnessRules } from './rules/harnesses.ts'
import { entryRules } from './rules/entries.ts'
import { nearMisses } from './rules/near-misses.ts'
import { triggerRules } from './rules/triggers.ts'
import { shapeFindings } from './schema/explain.ts'
import { manifestShape } from './schema/manifest.ts'
import { isOfVersion, type ManifestPath, versionOf } from './source/paths.ts'
import { readToml } from './source/read-toml.ts'
import { readYaml } from './source/read-yaml.ts'
import { triggerErrors } from './trigger-errors.ts'
import type { TriggerError } from './trigger-errors.ts'

export interface ManifestReading {
  /** null when the text is no manifest of a version that is read from this file */
  readonly manifest: Manifest | null
  readonly issues: readonly Issue[]
  /** the triggers without an error */
  readonly triggers: readonly Trigger[]
  /** what is wrong with the others, for the listing */
  readonly trigger_errors: readonly TriggerError[]
}

/** Reads one manifest and says everything that is wrong with it; what is right in it stays usable. */
export function readManifest(file: { readonly path: ManifestPath; readonly text: string }): ManifestReading {
  const version = versionOf(file.path)
  const source = version === 1 ? readToml(file.text) : readYaml(file.text)
  if (source.data === undefined) return reading(null, source.findings, source.locate, undefined)
  if (!isMapping(source.data)) {
    const problem =
      source.data === null ? 'the manifest is empty' : `a manifest is a mapping, not ${kindOf(source.data)}`
    return reading(null, [...source.findings, error([], problem)], source.locate, undefined)
  }

  const written = source.data['svc_version']
  const other = otherVersion(written, version)
  const data = version === 1 ? legacyLayout(source.data) : source.data
  const found = version === 1 ? legacyFindings(data) : findingsOf(data)
  const said = [...source.findings, ...(other === undefined ? [] : [error(['svc_version'], other)])]
  const findings = [...said, ...notSaidBy(said, found)]
  const manifest = isOfVersion(written, version) ? normalise(data, version, findings) : null
  return reading(manifest, findings, source.locate, data)
}

/** The reason that the file is no manifest of the version that its name stands for. */
function otherVersion(written: unknown, version: 1 | 2): string | undefined {
  if (version === 1) {
    if (isOfVersion(written, version)) return undefined
    return written === 2 ? 'version 2 is written in YAML: name the file svc.yaml' : 'must be `1` in svc.toml'
  }
  if (typeof written !== 'number' || written === 2) return undefined
  return `must be \`2\`, not \`${written}\``
}

/** A value of the wrong shape is named once: what it would mean is not looked at beside that. */
function findingsOf(data: Mapping): readonly Finding[] {
  const shape = namingOwnFiles(shapeFindings(manifestShape, data), data)
  const rules = [
    ...agentRules(data),
    ...harnessRules(data),
    ...entryRules(data),
    ...triggerRules(data, 2),
    ...nearMisses(data),
  ]
  return [...shape, ...notSaidBy(shape, rules)]
}

function reading(
  manifest: Manifest | null,
  findings: readonly Finding[],
  locate: Parameters<typeof placeFindings>[1],
  data: Mapping | undefined,
): ManifestReading {
  return {
    manifest,
    issues: placeFindings(findings, locate),
    triggers: manifest?.triggers ?? [],
    trigger_errors: triggerErrors(findings, manifest, data),
  }
}

/** A part that could not be read counts as empty; a finding that it is empty needs no saying then. */
function notSaidBy(said: readonly Finding[], findings: readonly Finding[]): readonly Finding[] {
  const places = new Set(said.filter((one) => one.severity === 'error').map((one) => pathText(one.path)))
  return findings.filter((finding) => !places.has(pathText(finding.path)))
}
