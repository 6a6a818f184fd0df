import { fileURLToPath } from 'node:url'

export type ObjectPlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 's3'
      readonly bucket: string
      /** Empty, or ends with `/`. */
      readonly prefix: string
      readonly region: string
      /** Absent for the service of the region. */
      readonly endpoint: string | undefined
      /** Whether the bucket stands in the path and not in the name of the host. */
      readonly path_style: boolean
    }

const s3Options = ['endpoint', 'region', 'path_style']

/** The place that a URL names: `file:///folder` or `s3://bucket/prefix?endpoint=&region=&path_style=true`; null when it names none. */
export function objectPlace(url: string): ObjectPlace | null {
  if (!URL.canParse(url)) return null
  const { protocol, hostname, pathname, searchParams, username, hash } = new URL(url)
  if (protocol === 'file:')
    return hostname === '' ? { kind: 'folder', folder: fileURLToPath(`file://${pathname}`) } : null
  const endpoint = searchParams.get('endpoint') ?? ''
  if (protocol !== 's3:' || hostname === '' || username !== '' || hash !== '') return null
  if ([...searchParams.keys()].some((option) => !s3Options.includes(option))) return null
  if (endpoint !== '' && !/^https?:\/\/[^/?#@]+\/?$/.test(endpoint)) return null
  const prefix = pathname.replace(/^\/+|\/+$/g, '')
  return {
    kind: 's3',
    bucket: hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: searchParams.get('region') || 'us-east-1',
    endpoint: endpoint || undefined,
    path_style: searchParams.get('path_style') === 'true',
  }
}
