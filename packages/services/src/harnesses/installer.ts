/** The store of harnesses of a worker's machine, and the work that fills it. */
export interface HarnessInstaller {
  /** The store's id: rows of other stores are other workers' affair. */
  readonly store: string
  /** The store's folder on this machine. */
  readonly root: string
  /** The machine that installs are for, as `linux-x64-glibc-node20`. */
  readonly target: string
  /** Installs by the platform's own lock file; gives the digest and the size. Throws `HarnessInstallError`. */
  install(
    wish: HarnessWish,
    on: { readonly progress: (bytes_done: number) => void; readonly signal: AbortSignal },
  ): Promise<{ readonly digest: string; readonly bytes: number }>
  /** The folder of an install with this digest; null when it is gone. */
  folder(wish: HarnessWish, digest: string): Promise<string | null>
  /**
   * Takes the files of an install that was given up from their place, each folder in one step; the returned function
   * deletes them. Nothing is there to take the second time.
   */
  remove(wish: HarnessWish, target: string): Promise<() => Promise<void>>
  /** Deletes the unfinished work of holders that gave no sign of life for long. */
  sweepScratch(now: Date): Promise<void>
}

export interface HarnessWish {
  readonly harness: string
  readonly version: string
}

/** An install that did not succeed. */
export class HarnessInstallError extends Error {
  override readonly name = 'HarnessInstallError'
  /** The same again would end the same. */
  readonly is_final: boolean
  constructor(message: string, is_final: boolean) {
    super(message)
    this.is_final = is_final
  }
}
