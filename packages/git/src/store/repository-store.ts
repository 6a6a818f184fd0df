/** One reference of a repository that is to move. Null stands for a reference that is not there. */
export interface RefChange {
  /** Its full name, such as `refs/heads/main`. */
  readonly ref: string
  /** The commit that it must point to now: 40 hexadecimal digits. */
  readonly old: string | null
  /** The commit that it is to point to, whose objects the folder holds. */
  readonly new: string | null
}

export interface Publication {
  readonly project_id: string
  /** The generation that `open` gave to the caller, on which `refs` rest. */
  readonly expected: number
  /** All of them move or none does. */
  readonly refs: readonly RefChange[]
}

export type PublishOutcome =
  | { readonly kind: 'published'; readonly generation: number }
  /** A reference was not at its `old` any more: nothing moved. `generation` is the one to open anew. */
  | { readonly kind: 'conflict'; readonly generation: number }
  /** The storage cannot hold it, such as a branch below the name of another; the message says why. */
  | { readonly kind: 'rejected'; readonly message: string }

export interface OpenedStorage {
  /** A bare repository on this machine; what git reads there is no older than the call of `open`. */
  readonly dir: string
  /** Number of publications so far; 0 for ever where the folder itself is the truth. */
  readonly generation: number
}

export interface StorageSize {
  /** Room of objects and packs, in steps of 1 KiB. */
  readonly bytes: number
  readonly packs: number
}

/**
 * Keeps managed repositories. Each process that opens repositories has one over the same storage: what one of them
 * published, the next `open` of every other sees.
 *
 * Ids are those of projects; one that climbs out of the storage throws `invalid_request`. Calls end with the reason of
 * `signal` when it is aborted; a publication is then either whole or nothing.
 */
export interface RepositoryStore {
  /** Makes an empty repository, or makes sure of the one that is there; its HEAD is `head_ref` in both cases. */
  create(project_id: string, head_ref: string, signal?: AbortSignal): Promise<void>
  /** Null when there is no repository of this project. */
  open(project_id: string, signal?: AbortSignal): Promise<OpenedStorage | null>
  /** Moves references by compare-and-set: of two callers that expect the same commit exactly one moves it. */
  publish(publication: Publication, signal?: AbortSignal): Promise<PublishOutcome>
  /** Removes the repository; does nothing when there is none. */
  remove(project_id: string): Promise<void>
  /** Throws `git_mirror_unavailable` when there is no repository of this project. */
  measure(project_id: string, signal?: AbortSignal): Promise<StorageSize>
}
