/** `owner/name`, or `group/subgroup/name`, as the host's API knows the repository behind a clone address. */
export function repositoryPath(repo_url: string): string {
  const segments = new URL(repo_url).pathname.split('/').filter((segment) => segment !== '')
  return segments
    .map((segment) => decodeURIComponent(segment))
    .join('/')
    .replace(/\.git$/, '')
}

/** A path whose slashes stay slashes. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
