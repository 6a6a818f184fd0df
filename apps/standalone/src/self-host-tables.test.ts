import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { apiSettings } from '@svc/api'
import { appProxySettings } from '@svc/app-proxy'
import { appWorkerSettings } from '@svc/app-worker'
import { channelWorkerSettings } from '@svc/channel-worker'
import { executorSettings } from '@svc/executor'
import { gatewaySettings } from '@svc/gateway'
import { mergeWorkerSettings } from '@svc/merge-worker'
import { sandboxWorkerSettings } from '@svc/sandbox-worker'
import { schedulerSettings } from '@svc/scheduler'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { z } from 'zod'
import { Env } from './env.ts'

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
const page = read('docs/self-host.md')

/** The default of a setting as a person writes it; undefined where there is none or none that is fixed. */
function defaultOf(shape: Readonly<Record<string, z.ZodType>>, name: string): string | undefined {
  const read = shape[name]?.safeParse(undefined)
  return read?.success === true && read.data !== undefined ? String(read.data) : undefined
}

/** Each variable of the tables that have a column Default, with what stands there. */
function tabled(text: string): (readonly [name: string, said: string])[] {
  const rows = text.split('\n').filter((line) => line.startsWith('| `SVC_') || line.startsWith('| `OPENAPI_'))
  return rows.flatMap((row) => {
    const [, variables = '', said = '', ...more] = row.split('|').map((cell) => cell.trim())
    if (more.length < 2) return []
    const names = [...variables.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name)
    // One default for each name, or one for all.
    const defaults = said.split(', ')
    return names.map(
      (name, index) => [name, (names.length === defaults.length ? defaults[index] : said) ?? ''] as const,
    )
  })
}

const plain = (said: string) => said.replaceAll('`', '')
const before = page.slice(0, page.indexOf('## In containers'))

test('the table of one machine has the defaults of the schema', () => {
  const wrong = tabled(before).flatMap(([name, said]) => {
    const fixed = defaultOf(Env.shape, name)
    // A path is made whole from where the platform is started.
    if (fixed === undefined || name === 'SVC_DATA_DIR') return []
    return plain(said) === fixed ? [] : [`${name}: the page says ${said}, the schema ${fixed}`]
  })
  expect(tabled(before).length).toBeGreaterThan(30)
  expect(wrong).toEqual([])
})

test('each setting that the tables name is one of a service', () => {
  const shapes = [
    apiSettings,
    appProxySettings,
    appWorkerSettings,
    channelWorkerSettings,
    executorSettings,
    gatewaySettings,
    mergeWorkerSettings,
    sandboxWorkerSettings,
    schedulerSettings,
    Env,
  ]
  const known = new Set(shapes.flatMap(({ shape }) => Object.keys(shape)))
  const cells = page.split('\n').filter((line) => line.startsWith('|'))
  const named = cells.flatMap((line) => [...line.matchAll(/`(SVC_[A-Z0-9_]*[A-Z0-9])(?:=[^`]*)?`/g)])
  const unknown = named.map(([, name = '']) => name).filter((name) => !known.has(name))
  expect(unknown).toEqual([])
})

test('the ports and the log level of separate services are those of the schemas', () => {
  const [, api, gateway, level] =
    /the API listens on 0\.0\.0\.0 at (\d+) and the gateway at (\d+), and each service logs at\s+`(\w+)`/.exec(
      page,
    ) ?? []
  expect([api, gateway, level]).toEqual([
    defaultOf(apiSettings.shape, 'SVC_PORT'),
    defaultOf(gatewaySettings.shape, 'SVC_PORT'),
    defaultOf(apiSettings.shape, 'SVC_LOG_LEVEL'),
  ])
})

interface Stack {
  readonly services: Readonly<Record<string, { readonly volumes?: readonly string[] }>>
}

test('the services that see a folder are those that the stack of containers, which is tried, gives it to', () => {
  const rows = page
    .split('\n')
    .filter((line) => /^\| (Folder|`SVC_\w+_DIR`[^|]*) +\| +(`?api|shared|own|\|)/.test(line))
  const [head = [], ...folders] = rows.map((row) =>
    row.split('|').map((cell) => cell.trim().replaceAll('`', '')),
  )
  const names = head.slice(2, -1)
  const { services }: Stack = parse(read('infra/compose/compose.yaml'), { merge: true })
  const given = (name: string, folder: string) =>
    (services[name]?.volumes ?? []).some((volume) => new RegExp(`}/${folder}[:/](?!objects)`).test(volume))
  expect(
    folders.map(([, folder, ...cells]) => [
      folder?.split(' ')[0],
      cells.slice(0, -1).map((cell) => cell !== ''),
    ]),
  ).toEqual([
    ['SVC_REPOSITORIES_DIR', names.map((name) => given(name, 'repositories'))],
    ['SVC_MIRRORS_DIR', names.map((name) => given(name, 'mirrors'))],
    ['SVC_SANDBOXES_DIR', names.map((name) => given(name, 'sandboxes'))],
    ['SVC_PROGRAMS_DIR', names.map((name) => given(name, 'programs'))],
  ])
  expect(names).toEqual([
    ...['api', 'gateway', 'executor', 'scheduler', 'merge-worker', 'sandbox-worker'],
    ...['app-worker', 'app-proxy', 'channel-worker'],
  ])
})

test('a default that is not that of the schema is found', () => {
  const row = '| `SVC_IDLE_SECONDS` | 60 | How long |'
  expect(tabled(row).map(([name, said]) => [said, defaultOf(Env.shape, name)])).toEqual([['60', '900']])
})
