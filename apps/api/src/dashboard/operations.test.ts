import { readdirSync, readFileSync } from 'node:fs'
import { operations } from '@svc/contract'
import { expect, test } from 'vitest'

const root = new URL('../../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** The rows of a list: an operation, and the page or the reason that none has it. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(([, operation = '', page = '']) => ({
    operation,
    page,
  }))

const folders = readdirSync(new URL('apps/dashboard/src/pages/', root), { withFileTypes: true })
/** The addresses of the dashboard's pages, below the place that it is at. */
const addresses = folders
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => [
    ...read(`apps/dashboard/src/pages/${name}/route.tsx`).matchAll(
      /getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g,
    ),
  ])
  .map(([, parent, path = '']) => {
    const own = path === '/' ? '' : `/${path}`
    return parent === 'projectRoute' ? `/projects/$project_id${own}` : own === '' ? '/' : own
  })

const notNamed = (rows: ReturnType<typeof rowsOf>) => {
  const named = rows.map(({ operation }) => operation)
  return operations.map(({ name }) => name).filter((name) => !named.includes(name))
}
const noPage = (rows: ReturnType<typeof rowsOf>) =>
  rows.filter(({ page }) => {
    if (page === 'every page' || page === 'sign-in') return false
    const [, address] = /^`(\/[^`]*)`$/.exec(page) ?? []
    return address === undefined ? !/^– .{4,}/.test(page) : !addresses.includes(address)
  })

test('the list of operations and their pages names each operation once, and pages that are there', () => {
  const rows = rowsOf(read('docs/dashboard-operations.md'))
  expect(notNamed(rows)).toEqual([])
  expect(rows.map(({ operation }) => operation).toSorted()).toEqual(
    operations.map(({ name }) => name).toSorted(),
  )
  expect(noPage(rows)).toEqual([])
})

test('an operation that the list lacks is found, and a page that is not there, and a reason that is none', () => {
  const rows = rowsOf('| `getHealth` | `/no-such-page` |\n| `getMe` | – |\n| `getInbox` | `/` |\n')
  expect(notNamed(rows)).toContain('listProjects')
  expect(notNamed(rows)).not.toContain('getMe')
  expect(noPage(rows).map(({ operation }) => operation)).toEqual(['getHealth', 'getMe'])
})
