/** A folder of pages, and which of its three files are there. */
export interface PagesFolder {
  readonly noun: string
  readonly route: string
  readonly files: readonly string[]
}

/** The index of the pages: the routes of every folder below those of the frame, their navigation, their commands. */
export function indexText(folders: readonly PagesFolder[]): string {
  const name = ({ noun }: PagesFolder) =>
    noun.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())
  const having = (file: string) => folders.filter(({ files }) => files.includes(file))
  const routed = (kind: string) =>
    having('route.tsx').filter(({ route }) => route.includes(`export const ${kind} `))
  const imports = [
    ...having('route.tsx').map((folder) => `import * as ${name(folder)} from './${folder.noun}/route.tsx'`),
    ...having('nav.ts').map(
      (folder) => `import { nav as ${name(folder)}Nav } from './${folder.noun}/nav.ts'`,
    ),
    ...having('commands.ts').map(
      (folder) => `import { commands as ${name(folder)}Commands } from './${folder.noun}/commands.ts'`,
    ),
  ]
  return `// Generated of the folders beside it; index.test.ts compares, and writes it with SVC_WRITE_PAGES=1.
import type { Command, NavEntry } from '../frame/nav-entry.ts'
import { frameRoute, noSuchRoute, projectRoute, rootRoute } from '../frame/routes.ts'
${imports.join('\n')}

export const routeTree = rootRoute.addChildren([
  frameRoute.addChildren([
    noSuchRoute,
${routed('frameRoutes')
  .map((folder) => `    ...${name(folder)}.frameRoutes,`)
  .join('\n')}
    projectRoute.addChildren([
${routed('projectRoutes')
  .map((folder) => `      ...${name(folder)}.projectRoutes,`)
  .join('\n')}
    ]),
  ]),
])

export const navigation: readonly NavEntry[] = [
${having('nav.ts')
  .map((folder) => `  ...${name(folder)}Nav,`)
  .join('\n')}
].sort((a, b) => a.order - b.order)

export const commands: readonly Command[] = [
${having('commands.ts')
  .map((folder) => `  ...${name(folder)}Commands,`)
  .join('\n')}
]
`
}
