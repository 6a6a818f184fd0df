#!/usr/bin/env node
/**
 * Prints what the changelog says of a release, and refuses a tag that does not fit the checkout:
 *
 *   node infra/release/release-notes.mjs <tag>
 *
 * `v1.2.3` is the version 1.2.3 of package.json and of the chart, with a heading of its own in CHANGELOG.md, below which
 * "Upgrade notes" say what an operator has to do, or that it is nothing.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const read = (path) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')

const [tag = ''] = process.argv.slice(2)
const { version } = JSON.parse(read('package.json'))
if (tag !== `v${version}`) fail(`The tag ${tag} is not v${version}, the version of package.json.`)
for (const key of ['version', 'appVersion'])
  if (!new RegExp(`^${key}: ${version.replaceAll('.', '\\.')}$`, 'm').test(read('infra/helm/svc/Chart.yaml')))
    fail(`The ${key} of infra/helm/svc/Chart.yaml is not ${version}.`)
const sections = read('CHANGELOG.md').split(/^## /m)
const section = sections.find((text) => text.split('\n', 1)[0].split(' ')[0] === version)
if (section === undefined) fail(`CHANGELOG.md has no heading "## ${version}".`)
const [, notes = ''] = /^### Upgrade notes\n([^#]*)/m.exec(section) ?? []
if (notes.trim() === '')
  fail(
    `The section ${version} of CHANGELOG.md has no "### Upgrade notes". Write "None." where there are none.`,
  )
process.stdout.write(section.slice(section.indexOf('\n')).trimStart())

function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
