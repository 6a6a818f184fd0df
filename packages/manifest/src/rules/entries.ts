import type { Finding } from '../issue.ts'
import { error, warning } from '../issue.ts'
import { isMapping, listAt, mappingAt, textAt } from '../raw.ts'
import type { Mapping } from '../raw.ts'
import { templateKeys } from '../schema/sandbox.ts'
import { choice, didYouMean, quoted } from '../suggest.ts'

/** The rules between sandbox templates and connectors. */
export function entryRules(manifest: Mapping): readonly Finding[] {
  return [
    ...sandboxRules(manifest),
    ...repeatedSlugs(manifest, ['connectors'], 'connector'),
    ...aliasPairs(manifest),
    ...sharedOfUsers(manifest),
  ]
}

function sandboxRules(manifest: Mapping): readonly Finding[] {
  const sandbox = mappingAt(manifest, 'sandbox')
  const templates = listAt(sandbox, 'templates')
  const findings = [...repeatedSlugs(manifest, ['sandbox', 'templates'], 'template')]
  const name = textAt(sandbox, 'default')
  const known = [...new Set(['default', ...templates.flatMap((one) => textAt(one, 'slug') ?? [])])]
  if (name !== undefined && name !== '' && !known.includes(name)) {
    const message = `no template has the slug ${quoted(name)}; known are ${choice(known)}${didYouMean(name, known)}`
    findings.push(error(['sandbox', 'default'], message))
  }
  for (const [index, template] of templates.entries()) {
    if (!isMapping(template)) continue
    for (const key of Object.keys(template)) {
      if (templateKeys.includes(key)) continue
      findings.push(
        warning(
          ['sandbox', 'templates', index, key],
          () => `nothing reads this key${didYouMean(key, templateKeys)}`,
        ),
      )
    }
  }
  return findings
}

/** An error at every slug that an earlier entry of the list has already. */
export function repeatedSlugs(manifest: Mapping, path: readonly string[], noun: string): readonly Finding[] {
  const key = path.at(-1) ?? ''
  const holder = path.length > 1 ? mappingAt(manifest, path[0] ?? '') : manifest
  const seen = new Map<string, number>()
  const findings: Finding[] = []
  for (const [index, entry] of listAt(holder, key).entries()) {
    const slug = textAt(entry, 'slug')
    if (slug === undefined) continue
    const first = seen.get(slug)
    if (first === undefined) seen.set(slug, index)
    else
      findings.push(
        error([...path, index, 'slug'], `another ${noun} has the slug ${quoted(slug)} (${key}[${first}])`),
      )
  }
  return findings
}

function aliasPairs(manifest: Mapping): readonly Finding[] {
  return listAt(manifest, 'connectors').flatMap((entry, index) =>
    isMapping(entry) && Object.hasOwn(entry, 'base_url') && Object.hasOwn(entry, 'baseUrl')
      ? [warning(['connectors', index, 'baseUrl'], 'is ignored beside `base_url`')]
      : [],
  )
}

function sharedOfUsers(manifest: Mapping): readonly Finding[] {
  return listAt(manifest, 'connectors').flatMap((entry, index) =>
    textAt(entry, 'credential') === 'shared' && textAt(entry, 'authorization_strategy') === 'user'
      ? [
          warning(
            ['connectors', index, 'credential'],
            'shares nothing when `authorization_strategy` is `user`: each person uses a connection of their own',
          ),
        ]
      : [],
  )
}
