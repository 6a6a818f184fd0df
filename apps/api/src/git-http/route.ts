import type { GitService } from '@svc/git'

export interface GitRoute {
  readonly project_id: string
  readonly service: GitService
  /** `GET info/refs` rather than the service's own POST. */
  readonly advertise: boolean
}

export type GitRouting =
  | { readonly kind: 'route'; readonly route: GitRoute }
  | {
      readonly kind: 'refused'
      readonly status: 403 | 404 | 405
      readonly text: string
      readonly allow?: string
    }

const shape =
  /^\/v1\/git\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/i

/** The three routes of smart HTTP and nothing else: no dumb protocol, no file of the repository by its path. */
export function gitRoute(method: string, url: string): GitRouting {
  const [path = '', query = ''] = url.split('?')
  const [, project_id, suffix] = shape.exec(path) ?? []
  if (project_id === undefined || suffix === undefined) {
    return refused(404, 'There is no such repository; clone /v1/git/<project_id>.git')
  }
  if (suffix !== 'info/refs') {
    if (method !== 'POST')
      return { ...refused(405, 'This path does not answer that method; use POST'), allow: 'POST' }
    return {
      kind: 'route',
      route: {
        project_id: project_id.toLowerCase(),
        service: service(suffix) ?? 'git-upload-pack',
        advertise: false,
      },
    }
  }
  if (method !== 'GET')
    return { ...refused(405, 'This path does not answer that method; use GET'), allow: 'GET' }
  const asked = service(new URLSearchParams(query).get('service'))
  if (asked === null) return refused(403, 'Only the smart HTTP protocol is served; use git 1.6.6 or newer')
  return { kind: 'route', route: { project_id: project_id.toLowerCase(), service: asked, advertise: true } }
}

function service(name: string | null): GitService | null {
  return name === 'git-upload-pack' || name === 'git-receive-pack' ? name : null
}

function refused(status: 403 | 404 | 405, text: string) {
  return { kind: 'refused', status, text } as const
}
