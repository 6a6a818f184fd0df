import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** True when the folder holds built pages. */
export function servesDashboard(folder: string | undefined): folder is string {
  return folder !== undefined && existsSync(join(folder, 'index.html'))
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** The files that the pages load, by name, with their types. Only these are ever read. */
export function dashboardAssets(folder: string): ReadonlyMap<string, { path: string; type: string }> {
  const assets = join(folder, 'assets')
  return new Map(
    readdirSync(assets).flatMap((name) => {
      const type = types[name.slice(name.lastIndexOf('.') + 1)]
      return type === undefined ? [] : [[name, { path: join(assets, name), type }] as const]
    }),
  )
}
