import { realpath } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '@svc/errors'
import type { RepositoryStoreName } from '@svc/facts'
import { makeClosedFolder } from './storage/closed-folder.ts'
import { damaged, isDamaged } from './storage/damage.ts'
import { createLinksCache } from './history/links-cache.ts'
import { type GitHome, writeGitHome } from './storage/home.ts'
import type { BranchCut } from './hosts/branch-api.ts'
import { cutBranchOnHost } from './hosts/cut-branch.ts'
import { detectHost } from './hosts/detect-host.ts'
import { requireRef, type Seed, seedManaged } from './storage/managed.ts'
import { mirroredFrom, type Refresh, refreshMirror } from './storage/mirror.ts'
import { clearLeftovers, createMirrorCache, type MirrorCache } from './storage/mirror-cache.ts'
import { ObjectReaders } from './objects/object-readers.ts'
import { createPreviewCache } from './merge/preview-cache.ts'
import { checkRepositoryUrl, type Lookup, systemLookup } from './remote/check-repository-url.ts'
import { createRemote, type Remote } from './remote/remote.ts'
import { remoteAccess } from './remote/remote-access.ts'
import { SharedRuns } from './remote/shared-runs.ts'
import type { RepositoryAllowance } from './remote/url-policy.ts'
import type { Branches, Identity, Repository, RepositoryTarget } from './repository.ts'
import { gitEnvironment } from './runner/environment.ts'
import { Runner } from './runner/runner.ts'
import { checkSigningKey } from './commits/signing.ts'
import { createCapabilities } from './serve/capabilities.ts'
import { type CloneCache, createCloneCache } from './serve/clone-cache.ts'
import { createVisibleObjects } from './serve/visible.ts'
import { removeRepository } from './storage/remove-repository.ts'
import { clearStaleLocks, processAgeMs } from './storage/stale-locks.ts'
import { notThere, repositoryPath } from './store/local-store.ts'
import { openRepositoryStore } from './store/open-repository-store.ts'
import type { RepositoryStore, StorageSize } from './store/repository-store.ts'

export interface RepositoriesOptions {
  /** Managed repositories; processes may share it. */
  readonly root: string
  /** Mirrors of connected repositories; belongs to one process. */
  readonly cache_root: string
  /** The kind of storage of managed repositories; `local` when absent. */
  readonly store?: RepositoryStoreName
  readonly identity: Identity
  /** A private SSH key without a passphrase; with it every commit of the service's is signed. */
  readonly signing_key_file?: string | undefined
  readonly allow: RepositoryAllowance
  readonly lookup?: Lookup
  /** Added to git's environment: PATH, or an operator's proxy and certificate settings. */
  readonly environment?: Readonly<Record<string, string>>
  readonly concurrency?: number
  /** The disk space for all mirrors together; without it none is ever removed for room. */
  readonly cache_max_bytes?: number | undefined
  /** Time that a mirror stays after it was opened, whatever the budget. */
  readonly cache_keep_ms?: number | undefined
  /** The disk space for the answers to clones, below `cache_root`; a gigabyte when absent. */
  readonly clones_max_bytes?: number | undefined
  readonly logger?: { warn(details: object, message: string): void }
}

export interface OpenOptions {
  /** False accepts a mirror as it was last seen; the default is never older than the call. */
  readonly fresh?: boolean
  readonly signal?: AbortSignal | undefined
}

type ConnectedTarget = Extract<RepositoryTarget, { kind: 'connected' }>

/** Owns the storage of repositories and every git process; close() ends those that still run. */
export class Repositories {
  readonly #options: RepositoriesOptions
  readonly #home: GitHome
  readonly #clones: CloneCache
  readonly #runner: Runner
  readonly #store: RepositoryStore
  readonly #objects: ObjectReaders
  readonly #previews = createPreviewCache()
  readonly #links = createLinksCache()
  readonly #capabilities = createCapabilities()
  readonly #visible = createVisibleObjects()
  readonly #cache: MirrorCache
  readonly #mirrors = new Map<string, SharedRuns>()
  readonly #unlocked = new Map<string, Promise<unknown>>()

  constructor(options: RepositoriesOptions, home: GitHome, clones: CloneCache) {
    this.#options = options
    this.#home = home
    this.#clones = clones
    this.#cache = createMirrorCache({
      cache_root: options.cache_root,
      max_bytes: options.cache_max_bytes,
      keep_ms: options.cache_keep_ms,
      logger: options.logger,
    })
    this.#runner = new Runner({
      environment: gitEnvironment(home.directory, options.environment),
      directory: home.directory,
      concurrency: options.concurrency ?? Math.max(8, availableParallelism() * 4),
    })
    this.#objects = new ObjectReaders({ runner: this.#runner })
    this.#store = openRepositoryStore(options.store ?? 'local', { root: options.root, runner: this.#runner })
  }

  /** Makes the bare repository, or makes sure of the one that is there. */
  async createManaged(project_id: string, default_branch: string): Promise<void> {
    await this.#store.create(project_id, requireRef(default_branch))
  }

  async seed(project_id: string, seed: Seed): Promise<string> {
    return seedManaged(await this.#openManaged(project_id, {}), seed)
  }

  async removeManaged(project_id: string): Promise<void> {
    const opened = await this.#store.open(project_id)
    await this.#store.remove(project_id)
    if (opened !== null) this.#clones.forget(opened.dir)
  }

  /** The room that a managed repository takes in the store. */
  measure(project_id: string, signal?: AbortSignal): Promise<StorageSize> {
    return this.#store.measure(project_id, signal)
  }

  async removeMirror(project_id: string): Promise<void> {
    await removeRepository(repositoryPath(this.#options.cache_root, project_id))
  }

  /** Refuses an address that no project may connect to. */
  async check(repo_url: string): Promise<void> {
    const { protocol, url } = await checkRepositoryUrl(repo_url, this.#options.allow, this.#options.lookup)
    if (protocol === 'file') await this.#refuseOwnStorage(url)
  }

  async open(target: RepositoryTarget, options: OpenOptions = {}): Promise<Repository> {
    options.signal?.throwIfAborted()
    return target.kind === 'managed'
      ? this.#openManaged(target.project_id, options)
      : this.#openConnected(target, options)
  }

  close(): Promise<void> {
    return this.#runner.close()
  }

  async #openManaged(project_id: string, { signal }: OpenOptions): Promise<Repository> {
    const opened = await this.#store.open(project_id, signal)
    if (opened === null) throw notThere()
    const { dir, generation } = opened
    await this.#unlock(dir)
    const branches: Branches = {
      at: 'store',
      publish: (refs) => this.#store.publish({ project_id, expected: generation, refs }, signal),
    }
    return this.#repository(dir, branches, signal)
  }

  async #openConnected(target: ConnectedTarget, { fresh = true, signal }: OpenOptions): Promise<Repository> {
    const git_dir = repositoryPath(this.#options.cache_root, target.project_id)
    this.#cache.used(git_dir)
    await this.#unlock(git_dir)
    const remote = this.#remote(git_dir, target, signal)
    if (fresh || (await mirroredFrom(git_dir)) !== target.repo_url) {
      const shared = this.#mirrors.get(git_dir) ?? new SharedRuns()
      this.#mirrors.set(git_dir, shared)
      await shared
        .join((left) => this.#refresh(git_dir, remote, { repo_url: target.repo_url, signal: left }), signal)
        .catch((error) => {
          const { project_id } = target
          this.#options.logger?.warn({ project_id, err: error }, 'a mirror was not refreshed')
          throw error
        })
    }
    return this.#mirror(git_dir, remote, signal)
  }

  async #refresh(git_dir: string, remote: Remote, refresh: Refresh): Promise<void> {
    const grew = await refreshMirror(
      this.#repository(git_dir, { at: 'host', remote }, undefined),
      remote,
      refresh,
    )
    if (!grew) return
    void this.#cache.grown(git_dir).catch((error: unknown) => {
      this.#options.logger?.warn({ err: error }, 'the mirrors were not kept within their budget')
    })
  }

  /** A mirror that is found damaged is given up, so that the next to open it fetches a whole one. */
  #mirror(git_dir: string, remote: Remote, signal: AbortSignal | undefined): Repository {
    const plain = this.#repository(git_dir, { at: 'host', remote }, signal)
    const doubt = async (stderr: string) => {
      if (!(await isDamaged(plain, stderr))) return
      await removeRepository(git_dir)
      throw damaged(new Error(stderr.trim().slice(0, 2_000)))
    }
    return { ...plain, doubt }
  }

  #remote(git_dir: string, target: ConnectedTarget, signal: AbortSignal | undefined): Remote {
    const { repo_url, credential, host = detectHost(repo_url) } = target
    const { allow, lookup } = this.#options
    const check = (url: string) => checkRepositoryUrl(url, allow, lookup ?? systemLookup)
    const access = async () => {
      const checked = await check(repo_url)
      if (checked.protocol === 'file') await this.#refuseOwnStorage(checked.url)
      return remoteAccess(checked, credential)
    }
    const cut = (branch: BranchCut) => cutBranchOnHost({ host, repo_url, credential, check, signal }, branch)
    return createRemote({ runner: this.#runner, git_dir, access, cut, signal })
  }

  /** A file address must not reach another project's repository around its access rules. */
  async #refuseOwnStorage(url: string): Promise<void> {
    const path = fileURLToPath(url)
    const real = await realpath(path).catch(() => resolve(path))
    for (const own of [this.#options.root, this.#options.cache_root]) {
      const folder = await realpath(own).catch(() => resolve(own))
      if (real !== folder && !real.startsWith(folder + sep)) continue
      throw new ServiceError(
        'repository_not_allowed',
        'This address belongs to the platform itself; give that of the repository on its own host.',
      )
    }
  }

  #repository(git_dir: string, branches: Branches, signal: AbortSignal | undefined): Repository {
    return {
      git_dir,
      hooks_dir: this.#home.hooks_dir,
      identity: this.#options.identity,
      signing_key_file: this.#options.signing_key_file ?? null,
      runner: this.#runner,
      objects: this.#objects,
      capabilities: this.#capabilities,
      clones: this.#clones,
      visible: this.#visible,
      links: this.#links,
      previews: this.#previews,
      branches,
      signal,
      doubt: null,
    }
  }

  /** Locks from before this process began belong to one that died. */
  #unlock(git_dir: string): Promise<unknown> {
    const known = this.#unlocked.get(git_dir)
    if (known) return known
    const clearing = clearStaleLocks(git_dir, { older_than_ms: processAgeMs() })
    this.#unlocked.set(git_dir, clearing)
    return clearing
  }
}

export async function createRepositories(options: RepositoriesOptions): Promise<Repositories> {
  await makeClosedFolder(options.root)
  await makeClosedFolder(options.cache_root)
  const root = await realpath(options.root)
  const cache_root = await realpath(options.cache_root)
  await clearLeftovers(cache_root)
  const clones = await createCloneCache({
    folder: join(cache_root, 'clones'),
    max_bytes: options.clones_max_bytes ?? 2 ** 30,
  })
  const home = await writeGitHome(cache_root)
  const repositories = new Repositories({ ...options, root, cache_root }, home, clones)
  if (options.signing_key_file !== undefined) await checkSigningKey(options.signing_key_file)
  return repositories
}
