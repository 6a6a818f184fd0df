import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@svc/db'
import type { Branches, Repositories, Repository } from '@svc/git'
import type { KyselyPlugin } from 'kysely'

/** Something a worker does to the world outside, seen before, while and after it does it. */
export interface Step {
  readonly name: string
  readonly moment: 'before' | 'during' | 'after'
}

export type OnStep = (step: Step) => void

type Work<T> = () => Promise<T>
type Watch = <T>(name: string, work: Work<T>) => Promise<T>

/** Reports each piece of work at three moments; the middle one comes once the work is well under way. */
export function watcher(on_step: OnStep): Watch {
  return async (name, work) => {
    on_step({ name, moment: 'before' })
    const running = work()
    void sleep(Math.floor(Math.random() * 60)).then(() => on_step({ name, moment: 'during' }))
    const result = await running
    on_step({ name, moment: 'after' })
    return result
  }
}

/** Queries are named by their verb and their table. */
export function watchDb(db: Db, on_step: OnStep): Db {
  const names = new WeakMap<object, string>()
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const table = /"kind":"IdentifierNode","name":"(\w+)"/.exec(JSON.stringify(node))?.[1] ?? ''
      const lock = /pg_\w+/.exec(JSON.stringify(node))?.[0] ?? ''
      const name = `${node.kind.replace('QueryNode', '')} ${lock || table}`.trim()
      names.set(queryId, name)
      on_step({ name, moment: 'before' })
      return node
    },
    transformResult: async ({ result, queryId }) => {
      on_step({ name: names.get(queryId) ?? '', moment: 'after' })
      return result
    },
  }
  return db.withPlugin(plugin)
}

/** Git commands are named by their first word; opening and pushing talk to a remote. */
export function watchRepositories(repositories: Repositories, on_step: OnStep): Repositories {
  const watch = watcher(on_step)
  return new Proxy(repositories, {
    get: (target, key) =>
      key === 'open'
        ? async (...args: Parameters<Repositories['open']>) =>
            watchRepository(await watch('open', () => target.open(...args)), watch)
        : own(target, key),
  })
}

function watchRepository(repository: Repository, watch: Watch): Repository {
  const { runner } = repository
  return {
    ...repository,
    runner: new Proxy(runner, {
      get: (target, key) =>
        key === 'run'
          ? (...args: Parameters<Repository['runner']['run']>) =>
              watch(`git ${args[0][0] ?? ''}`, () => target.run(...args))
          : own(target, key),
    }),
    branches: watchBranches(repository.branches, watch),
  }
}

function watchBranches(branches: Branches, watch: Watch): Branches {
  if (branches.at === 'store')
    return { ...branches, publish: (refs) => watch('publish', () => branches.publish(refs)) }
  const { remote } = branches
  return { at: 'host', remote: { ...remote, push: (push) => watch('push', () => remote.push(push)) } }
}

/** Methods of a class with private fields keep the object that has them. */
function own(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key)
  return typeof value === 'function' ? value.bind(target) : value
}
