import { SandboxError } from '../../../sandbox-error.ts'

/** An image as a registry knows it. */
export interface Reference {
  /** `host` or `host:port` of its registry. */
  readonly host: string
  readonly repository: string
  /** The name that the nodes fetch it by, without tag and digest. */
  readonly name: string
  /** Its digest, else its tag. */
  readonly version: string
}

const hub = 'registry-1.docker.io'
const pattern =
  /^(?:([a-z0-9][a-z0-9.-]*(?::\d{1,5})?)\/)?([a-z0-9]+(?:[._/-]+[a-z0-9]+)*)(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/

/** Reads a name as engines do: without a registry it is one of Docker Hub, without a tag the latest. */
export function readReference(text: string): Reference {
  const [, first, rest = '', tag = 'latest', digest] = pattern.exec(text) ?? []
  if (rest === '')
    throw new SandboxError(
      'image',
      `${text} is no name of an image; give one such as registry.example.com/app:1.`,
    )
  const version = digest ?? tag
  // What has neither dot nor port is a folder of Docker Hub.
  if (first !== undefined && (/[.:]/.test(first) || first === 'localhost'))
    return first === 'docker.io'
      ? { host: hub, repository: onHub(rest), name: `docker.io/${onHub(rest)}`, version }
      : { host: first, repository: rest, name: `${first}/${rest}`, version }
  const repository = onHub(first === undefined ? rest : `${first}/${rest}`)
  return { host: hub, repository, name: `docker.io/${repository}`, version }
}

const onHub = (path: string): string => (path.includes('/') ? path : `library/${path}`)
