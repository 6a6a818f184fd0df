import type { Path } from './issue.ts'
import { pathText } from './issue.ts'
import type { ManifestFiles } from './judge.ts'
import { legacyLayout } from './legacy/layout.ts'
import { isMapping, listAt, mappingAt } from './raw.ts'
import type { Mapping } from './raw.ts'
import { choice, quoted } from './suggest.ts'
import { readToml } from './source/read-toml.ts'
import { readYaml } from './source/read-yaml.ts'

/** Something that is read and judged and that nothing acts on. It is no issue: the manifest is as it should be. */
export interface Note {
  readonly path: string
  readonly message: string
}

/** A part of the manifest that is allowed before the platform does it. An entry goes when its capability lands. */
interface NotRunYet {
  /** The part of the reference that says it. */
  readonly section: string
  readonly message: string
  readonly places: (manifest: Mapping) => readonly Path[]
}

/** Capabilities that no route and no worker asks for. */
export const idleCapabilities: ReadonlySet<string> = new Set([
  'project.agent.write',
  'project.skill.read',
  'project.skill.write',
  'project.command.read',
  'project.command.write',
  'project.file.write',
])

export const notRunYet: readonly NotRunYet[] = [
  {
    section: 'project',
    message: 'nothing reads the name and the description yet: people see the name that the project was given',
    places: ({ project }) => ['name', 'description'].flatMap((key) => present(project, ['project', key])),
  },
  {
    section: 'top level',
    message: 'nothing reads `checks` yet',
    places: (manifest) => present(manifest, ['checks']),
  },
]

/** The parts of a repository's manifest that nothing acts on yet. */
export function manifestNotes(files: ManifestFiles): readonly Note[] {
  const { 'svc.yaml': yaml, 'svc.toml': toml } = files
  const data = yaml !== undefined ? readYaml(yaml).data : toml !== undefined ? readToml(toml).data : undefined
  if (!isMapping(data)) return []
  const manifest = yaml === undefined ? legacyLayout(data) : data
  const notes = notRunYet.flatMap(({ message, places }) =>
    places(manifest).map((path) => ({ path: pathText(path), message })),
  )
  return [...notes, ...grantNotes(manifest)]
}

function grantNotes(manifest: Mapping): readonly Note[] {
  return Object.entries(mappingAt(manifest, 'agents')).flatMap(([name, agent]) => {
    const idle = listAt(agent, 'svc_cli').filter(
      (one): one is string => typeof one === 'string' && idleCapabilities.has(one),
    )
    if (idle.length === 0) return []
    const [only] = idle
    const message =
      idle.length === 1 && only !== undefined
        ? `nothing asks for ${quoted(only)} yet: granting it changes nothing`
        : `nothing asks for these yet, so that granting them changes nothing: ${choice(idle).replace(/ or /, ' and ')}`
    return [{ path: pathText(['agents', name, 'svc_cli']), message }]
  })
}

/** The path when its last key is there. */
function present(holder: unknown, path: Path): readonly Path[] {
  return isMapping(holder) && Object.hasOwn(holder, String(path.at(-1))) ? [path] : []
}
