/** The paths of a repository's manifest: the first of these that exists. */
export const manifestPaths = ['svc.yaml', 'svc.toml'] as const

export type ManifestPath = (typeof manifestPaths)[number]

/** The version that the file's name stands for. */
export const versionOf = (path: ManifestPath): 1 | 2 => (path === 'svc.toml' ? 1 : 2)

/** True when a file of this version may say `svc_version: written`; only the old one may leave it out. */
export function isOfVersion(written: unknown, version: 1 | 2): boolean {
  return written === version || (version === 1 && written === undefined)
}
