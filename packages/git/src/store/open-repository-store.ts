import type { RepositoryStoreName } from '@svc/facts'
import type { Runner } from '../runner/runner.ts'
import { createLocalStore } from './local-store.ts'
import type { RepositoryStore } from './repository-store.ts'

interface Place {
  readonly root: string
  readonly runner: Runner
}

/** Each store by its name: a new one is a module, a line here and a word in `repositoryStores`. */
const stores: Readonly<Record<RepositoryStoreName, (place: Place) => RepositoryStore>> = {
  local: createLocalStore,
}

export const openRepositoryStore = (name: RepositoryStoreName, place: Place): RepositoryStore =>
  stores[name](place)
