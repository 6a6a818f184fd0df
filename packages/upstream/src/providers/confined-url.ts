import { UpstreamRefusal } from '../shapes.ts'
import { wellFormed } from './body.ts'

/** The address that a connector names. Throws `UpstreamRefusal` where it is none, or holds a name and password. */
export function baseAddress(text: string, key = 'base_url'): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UpstreamRefusal(
      'connector_unusable',
      `\`${key}\` must be an https address without a name and password in it: correct it in the manifest.`,
    )
  return url
}

/**
 * `path`, with its query, below `base`. Throws `UpstreamRefusal` with `invalid_arguments` for one that leads elsewhere, as
 * it is written or as a server may read it after decoding it once or twice.
 */
export function confinedUrl(base: URL, path: string): URL {
  const [name = '', ...rest] = path.split('?')
  if (path !== wellFormed(path)) throw outside('it holds half a letter')
  if (name.includes('#')) throw outside('it holds a #, which is written %23')
  for (const read of readings(name)) {
    const trouble = troubleIn(read)
    if (trouble !== null) throw outside(trouble)
  }
  if (/%(?:2e|2f|5c)/i.test(readings(name).at(-1) ?? '')) throw outside('it is encoded three times')
  const root = base.pathname.replace(/\/$/, '')
  const url = new URL(base)
  url.hash = ''
  url.pathname = name === '' ? base.pathname : `${root}/${name.replace(/^\//, '')}`
  url.search = [base.search.slice(1), rest.join('?')].filter((part) => part !== '').join('&')
  const isBelow = name === '' || url.pathname.startsWith(`${root}/`)
  if (url.origin !== base.origin || !isBelow) throw outside(`it leads out of ${base.href}`)
  return url
}

/** The path as it is written, and as it is after decoding it once and twice. */
function readings(path: string): string[] {
  try {
    const once = decodeURIComponent(path)
    return [path, once, lenient(once)]
  } catch {
    throw outside('a % in it begins no letter; write %25 for a percent sign')
  }
}

/** A text that was decoded once may hold a percent sign of its own. */
function lenient(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })
}

function troubleIn(path: string): string | null {
  if (/[\0-\x1f\x7f\\]/.test(path)) return 'it holds a backslash or a control character'
  if (path.startsWith('//')) return 'it begins with //, which names a host'
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return 'it is a whole address'
  // Some servers cut a segment at its semicolon.
  const climbs = path.split('/').some((segment) => /^\.\.(?:;.*)?$/.test(segment.trim()))
  return climbs ? 'it climbs with ..' : null
}

function outside(trouble: string): UpstreamRefusal {
  return new UpstreamRefusal(
    'invalid_arguments',
    `\`path\` must stay below the connector's address, and ${trouble}: give a path without it.`,
  )
}
