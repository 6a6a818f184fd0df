import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as models from '@kubernetes/client-node'
import { parseAllDocuments } from 'yaml'
import { output } from './run.ts'

const folder = fileURLToPath(new URL('../../../../../infra/helm', import.meta.url))
export const chart = join(folder, 'svc')
export const values = join(folder, 'render/values.yaml')

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly annotations?: Record<string, string>
  }
  readonly spec?: unknown
}

const hasHelm = spawnSync('helm', ['version']).status === 0
const sources = '/usr/share/gocode'
const hasGo =
  spawnSync('go', ['version']).status === 0 && existsSync(join(sources, 'src/github.com/Masterminds/sprig'))
export const canRender = hasHelm || hasGo

/** The documents of the chart, by Helm where it is there, else by the same template engine and functions. */
export async function renderChart(
  api_versions: readonly string[],
  file = values,
  namespace = 'svc',
): Promise<readonly Manifest[]> {
  const text = hasHelm
    ? await output('helm', [
        ...['template', 'svc', chart, '--namespace', namespace, '--values', file],
        ...api_versions.flatMap((version) => ['--api-versions', version]),
      ])
    : await output('go', ['run', join(folder, 'render/main.go'), chart, file, namespace, ...api_versions], {
        env: {
          PATH: process.env.PATH ?? '',
          ...{ GO111MODULE: 'off', GOPATH: sources, GOCACHE: join(tmpdir(), 'svc-go-cache') },
        },
      })
  return parseAllDocuments(text).flatMap((document): Manifest[] => {
    if (document.errors.length > 0) throw document.errors[0]
    const found: unknown = document.toJS()
    // The named boundary: what a manifest is, its models say.
    return found === null ? [] : [found as Manifest]
  })
}

interface Model {
  getAttributeTypeMap(): readonly { readonly baseName: string; readonly type: string }[]
}

/** The keys of a manifest that its typed model does not know, by their paths. */
export function unknownKeys({ apiVersion, kind, ...rest }: Manifest): readonly string[] {
  const version = (apiVersion.split('/').at(-1) ?? '').replace(/^v/, 'V')
  return unknownIn({ apiVersion, kind, ...rest }, `${version}${kind}`, kind)
}

function unknownIn(value: unknown, type: string, path: string): readonly string[] {
  const item = /^Array<(.+)>$/.exec(type)?.[1]
  if (item !== undefined)
    return Array.isArray(value)
      ? value.flatMap((one, index) => unknownIn(one, item, `${path}[${index}]`))
      : [`${path} is no list`]
  const entry = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1]
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : null
  if (entry !== undefined)
    return entries?.flatMap(([key, one]) => unknownIn(one, entry, `${path}.${key}`)) ?? [`${path} is no map`]
  const model = modelOf(type)
  if (model === null) return fits(value, type) ? [] : [`${path} is no ${type}`]
  if (entries === null) return [`${path} is no ${type}`]
  return entries.flatMap(([key, one]) => {
    const known = model.getAttributeTypeMap().find(({ baseName }) => baseName === key)
    return known === undefined ? [`${path}.${key}`] : unknownIn(one, known.type, `${path}.${key}`)
  })
}

function fits(value: unknown, type: string): boolean {
  if (type === 'IntOrString') return typeof value === 'string' || typeof value === 'number'
  if (type === 'string' || type === 'number' || type === 'boolean') return typeof value === type
  return type === 'any' || type === 'object'
}

/** The named boundary to the generated classes, which are found by their names. */
function modelOf(type: string): Model | null {
  const found: unknown = (models as Readonly<Record<string, unknown>>)[type]
  return typeof found === 'function' && 'getAttributeTypeMap' in found ? (found as unknown as Model) : null
}
