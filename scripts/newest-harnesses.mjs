// Moves the pins of harnesses to the newest version that each Node may run, with the lock files, and prints what moved:
//   node scripts/newest-harnesses.mjs [<name> ...]
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import semver from 'semver'

const harness = join(import.meta.dirname, '..', 'packages', 'harness')
const pinsLine = /pins: \{(?<pins>[^}]*)\}/
const packageLine = /package: '(?<name>[^']+)'/

/**
 * The newest of the versions for each major of Node, never older than what is pinned. Those of a preview and those that
 * their authors withdrew are left out.
 * @param {Readonly<Record<string, string>>} pins
 * @param {readonly string[]} versions
 * @param {(version: string) => { engines?: { node?: string }, deprecated?: string }} detailsOf
 * @returns {Record<string, string>}
 */
export function newestPins(pins, versions, detailsOf) {
  const newestFirst = semver.rsort(versions.filter((version) => semver.prerelease(version) === null))
  return Object.fromEntries(
    Object.entries(pins).map(([major, pinned]) => {
      const newer = newestFirst.filter((version) => semver.gt(version, pinned))
      const fits = newer.find((version) => {
        const { engines, deprecated } = detailsOf(version)
        return deprecated === undefined && semver.intersects(engines?.node ?? '*', `${major}.x`)
      })
      return [major, fits ?? pinned]
    }),
  )
}

/** Of one harness: its file, and a lock for each version that is pinned there. */
function move(name) {
  const file = join(harness, 'src', 'known', `${name}.ts`)
  const text = readFileSync(file, 'utf8')
  const packageName = packageLine.exec(text)?.groups.name
  const pins = Object.fromEntries(
    [...(pinsLine.exec(text)?.groups.pins ?? '').matchAll(/(\d+): '([^']+)'/g)].map(([, major, version]) => [
      major,
      version,
    ]),
  )
  const [oldest] = semver.sort(Object.values(pins))
  if (packageName === undefined || oldest === undefined) throw new Error(`${file} pins no package`)
  const newest = newestPins(pins, [view(packageName, 'versions')].flat(), (version) => {
    const said = view(`${packageName}@${version}`, 'version', 'engines', 'deprecated')
    return typeof said === 'string' ? {} : said
  })
  const wanted = new Set(Object.values(newest))
  const moved = Object.keys(pins).filter((major) => pins[major] !== newest[major])
  if (moved.length === 0) return

  const locks = join(harness, 'locks', name)
  const kept = readFileSync(join(locks, oldest, 'package.json'), 'utf8')
  const beside = Object.entries(JSON.parse(kept).dependencies).filter(([other]) => other !== packageName)
  for (const version of wanted) {
    if (readdirSync(locks).includes(version)) continue
    const packages = [[packageName, version], ...beside].map((pair) => pair.join('@'))
    execFileSync(process.execPath, [join(import.meta.dirname, 'lock-harness.mjs'), name, ...packages])
  }
  for (const version of readdirSync(locks))
    if (!wanted.has(version)) rmSync(join(locks, version), { recursive: true })
  const line = Object.entries(newest).map(([major, version]) => `${major}: '${version}'`)
  writeFileSync(file, text.replace(pinsLine, `pins: { ${line.join(', ')} }`))
  for (const major of moved)
    process.stdout.write(`${name} on Node ${major}: ${pins[major]} -> ${newest[major]}\n`)
}

/** The word of the registry on a package: one thing by itself, more as an object. */
const view = (...asked) => JSON.parse(execFileSync('npm', ['view', ...asked, '--json'], { encoding: 'utf8' }))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2)
  for (const name of names.length > 0 ? names : readdirSync(join(harness, 'locks'))) move(name)
}
