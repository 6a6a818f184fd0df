export interface Machine {
  readonly platform: string
  readonly arch: string
  readonly node_version: string
  /** The version of glibc that runs this process; undefined where there is another library of C. */
  readonly glibc: string | undefined
}

/** The kind of machine that an install fits: `linux-x64-glibc-node20`. */
export function harnessTarget(machine: Machine = thisMachine()): string {
  const { platform, arch, glibc, node_version } = machine
  const libc = platform === 'linux' ? [glibc === undefined ? 'musl' : 'glibc'] : []
  return [platform, arch, ...libc, `node${node_version.split('.')[0]}`].join('-')
}

export function thisMachine(): Machine {
  const { platform, arch, versions } = process
  return {
    platform,
    arch,
    node_version: versions.node,
    glibc: platform === 'linux' ? glibcVersion() : undefined,
  }
}

/** The report names the library of C that runs, where the files of a machine may name both. */
function glibcVersion(): string | undefined {
  // Without this the report looks up the names of open connections; node's types do not have it yet.
  const report: { excludeNetwork?: boolean } & NodeJS.ProcessReport = process.report
  const before = report.excludeNetwork ?? false
  report.excludeNetwork = true
  try {
    const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } }
    return header?.glibcVersionRuntime
  } finally {
    report.excludeNetwork = before
  }
}
