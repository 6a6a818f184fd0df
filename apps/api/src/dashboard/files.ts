import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Coding, codings } from '../compression/accepted-coding.ts'

/** True when the folder holds built pages. */
export function servesDashboard(folder: string | undefined): folder is string {
  return folder !== undefined && existsSync(join(folder, 'index.html'))
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  png: 'image/png',
  json: 'application/json',
}

/** A file of the pages, with the codings in which the build wrote it as well. */
export interface PageFile {
  readonly path: string
  readonly type: string
  readonly codings: readonly Coding[]
}

const suffixes = { br: '.br', gzip: '.gz' } as const satisfies Record<Coding, string>

/** The path of the content in this coding. */
export const codedPath = ({ path }: PageFile, coding: Coding | null): string =>
  coding === null ? path : path + suffixes[coding]

export function pageFile(path: string, type: string): PageFile {
  return { path, type, codings: codings.filter((coding) => existsSync(path + suffixes[coding])) }
}

/** The files that the pages load, by name, with their types. Only these are ever read. */
export function dashboardAssets(folder: string): ReadonlyMap<string, PageFile> {
  const assets = join(folder, 'assets')
  return new Map(
    readdirSync(assets).flatMap((name) => {
      const type = types[name.slice(name.lastIndexOf('.') + 1)]
      return type === undefined ? [] : [[name, pageFile(join(assets, name), type)] as const]
    }),
  )
}
