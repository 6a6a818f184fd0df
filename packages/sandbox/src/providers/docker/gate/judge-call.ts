import { deploymentLabel } from '../containers/containers.ts'
import { type GateRules, isOwnDeployment } from './container-body.ts'

/** A call that the gate knows, and what is still to be looked at before the engine hears of it. */
export type GateCall =
  | { readonly kind: 'refused'; readonly why: string }
  /** Passes as it is. */
  | { readonly kind: 'passes'; readonly path: string }
  /** Passes with its body, which the engine unpacks or builds. */
  | { readonly kind: 'build'; readonly path: string }
  | { readonly kind: 'create'; readonly name: string | null }
  /** Of a container that has to be this deployment's. */
  | { readonly kind: 'container'; readonly name: string; readonly path: string; readonly starts: boolean }
  /** Takes an image away that has to be this deployment's. */
  | { readonly kind: 'remove-image'; readonly image: string; readonly path: string }

interface Rule {
  readonly method: string
  readonly path: RegExp
  /** The parameters that pass; one that is not here is refused. */
  readonly query: readonly string[]
  readonly judge: (
    parts: { name: string; query: URLSearchParams; path: string },
    rules: GateRules,
  ) => GateCall
}

const container = '/containers/(svc-sbx_[0-9a-f]{32})'
const image = '/images/([a-z0-9][\\w./:@-]*)'
const passes: Rule['judge'] = ({ path }) => ({ kind: 'passes', path })
const ofContainer: Rule['judge'] = ({ name, path }) => {
  const starts = path.endsWith('/start')
  return { kind: 'container', name, path, starts }
}
const ofOwnLabel: Rule['judge'] = ({ query, path }, rules) =>
  labelsOf(query.get('filters')).some((label) => isOwnLabel(rules, label))
    ? { kind: 'passes', path }
    : refused('the list is not that of this deployment')

/** Every call that the docker provider makes. */
const table: readonly Rule[] = [
  { method: 'GET', path: /^\/info$/, query: [], judge: passes },
  { method: 'GET', path: /^\/_ping$/, query: [], judge: passes },
  { method: 'GET', path: /^\/containers\/json$/, query: ['all', 'filters'], judge: ofOwnLabel },
  { method: 'GET', path: /^\/images\/json$/, query: ['filters'], judge: ofOwnLabel },
  { method: 'POST', path: /^\/containers\/create$/, query: ['*'], judge: create },
  { method: 'GET', path: new RegExp(`^${container}/json$`), query: ['size'], judge: ofContainer },
  { method: 'POST', path: new RegExp(`^${container}/start$`), query: [], judge: ofContainer },
  { method: 'POST', path: new RegExp(`^${container}/stop$`), query: ['t'], judge: ofContainer },
  { method: 'POST', path: new RegExp(`^${container}/kill$`), query: [], judge: ofContainer },
  { method: 'DELETE', path: new RegExp(`^${container}$`), query: ['force', 'v'], judge: ofContainer },
  {
    method: 'GET',
    path: new RegExp(`^${container}/logs$`),
    query: ['stdout', 'stderr', 'follow', 'tail', 'since'],
    judge: ofContainer,
  },
  { method: 'GET', path: new RegExp(`^${image}/json$`), query: [], judge: passes },
  { method: 'POST', path: /^\/images\/create$/, query: ['fromImage', 'tag'], judge: passes },
  {
    method: 'DELETE',
    path: new RegExp(`^${image}$`),
    query: [],
    judge: ({ name, path }) => ({ kind: 'remove-image', image: name, path }),
  },
  {
    method: 'POST',
    path: /^\/build$/,
    query: [
      ...['t', 'dockerfile', 'labels', 'networkmode', 'forcerm', 'memory', 'memswap'],
      ...['cpuperiod', 'cpuquota', 'buildargs', 'nocache'],
    ],
    judge: build,
  },
]

/** The verdict on a call, by its method, path and parameters alone. */
export function judgeCall(rules: GateRules, method: string, url: string): GateCall {
  const [path = '', ...more] = url.split('?')
  // The engine would clean such a path and find another call in it.
  if (/\.\.|\/\/|[%\\]/.test(path)) return refused('the path is not a plain one')
  const query = new URLSearchParams(more.join('?'))
  // The client writes its own option into the query.
  query.delete('abortSignal')
  for (const rule of table) {
    const found = rule.method === method ? rule.path.exec(path) : null
    if (found === null) continue
    const foreign = [...query.keys()].find((key) => !rule.query.includes('*') && !rule.query.includes(key))
    if (foreign !== undefined) return refused(`the provider gives no ${foreign} there`)
    if (!rule.query.includes('*') && new Set(query.keys()).size !== [...query.keys()].length)
      return refused('a parameter is given twice')
    const text = query.toString()
    return rule.judge({ name: found[1] ?? '', query, path: text === '' ? path : `${path}?${text}` }, rules)
  }
  return refused('the provider makes no such call')
}

function create({ query }: { query: URLSearchParams }): GateCall {
  return { kind: 'create', name: query.get('name') }
}

function build({ query, path }: { query: URLSearchParams; path: string }, rules: GateRules): GateCall {
  const network = query.get('networkmode')
  if (network !== 'none' && network !== rules.build_network)
    return refused('the network is not the one of the settings')
  if (network === 'host' || network?.startsWith('container:')) return refused("a build has no host's network")
  if (!/^svc-(template|sandbox|program|app):[\w.-]+$/.test(query.get('t') ?? ''))
    return refused('the name is not one of the images that the provider makes')
  const labels = objectOf(query.get('labels'))
  if (!isOwnDeployment(rules, labels?.[deploymentLabel]))
    return refused('the label is not that of this deployment')
  return { kind: 'build', path }
}

function labelsOf(filters: string | null): readonly string[] {
  const label = objectOf(filters)?.['label']
  return Array.isArray(label) ? label.map(String) : []
}

function isOwnLabel(rules: GateRules, label: string): boolean {
  const prefix = `${deploymentLabel}=`
  return label.startsWith(prefix) && isOwnDeployment(rules, label.slice(prefix.length))
}

function objectOf(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

function refused(why: string): GateCall {
  return { kind: 'refused', why }
}
