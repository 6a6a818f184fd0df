// The files that a build reads, as turbo.json says it: one list for the builder and for the question whether to build.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The files that the build of every package reads, relative to `root` and sorted; those of tests left out. */
export function buildInputs(root) {
  const { inputs } = JSON.parse(readFileSync(join(root, 'turbo.json'), 'utf8')).tasks.build
  const folders = ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => join(root, group, name))
      .filter((folder) => existsSync(join(folder, 'package.json'))),
  )
  const files = new Set()
  for (const folder of folders) {
    for (const input of inputs) for (const file of matching(folder, input.split('/'))) files.add(file)
  }
  return [...files]
    .map((file) => relative(root, file))
    .filter((file) => !file.includes('.test.'))
    .sort()
}

/** Files below `folder` that a pattern means: names, `*` for any part of a name, `**` for everything below. */
function matching(folder, [first, ...rest]) {
  if (first === '..' || !first.includes('*')) {
    const path = join(folder, first)
    if (!existsSync(path)) return []
    return rest.length === 0 ? [path] : matching(path, rest)
  }
  if (!existsSync(folder)) return []
  if (first === '**') return filesBelow(folder)
  const name = new RegExp(`^${first.split('*').map(escaped).join('.*')}$`)
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => name.test(entry.name) && (rest.length === 0 ? entry.isFile() : entry.isDirectory()))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return rest.length === 0 ? [path] : matching(path, rest)
    })
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function escaped(text) {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
}
