import { type Authority, authorityOf, authorityText } from './authority.ts'

/** One sandbox's part: the platform wrote these variables, no project can. */
export interface Reach {
  /** As `host:port`. */
  readonly platform: ReadonlySet<string>
  readonly repository: string | null
}

const ofPlatform = ['SVC_API_URL', 'SVC_LLM_BASE_URL']
const ofRepository = ['SVC_REPO_URL']

type Environment = Readonly<Record<string, string>>

export function reachOf(environment: Environment): Reach {
  const [repository = null] = namedBy(environment, ofRepository).map(authorityText)
  return { platform: new Set(namedBy(environment, ofPlatform).map(authorityText)), repository }
}

/** The services that a sandbox with this environment talks to, each once. */
export function destinationsOf(environment: Environment): readonly Authority[] {
  const found = namedBy(environment, [...ofPlatform, ...ofRepository])
  return [...new Map(found.map((one) => [authorityText(one), one])).values()]
}

function namedBy(environment: Environment, names: readonly string[]): readonly Authority[] {
  return names.flatMap((name) => authorityOf(environment[name] ?? '') ?? [])
}
