import type { Db } from '@svc/db'
import type { Repositories, Repository } from '@svc/git'
import type { KyselyPlugin } from 'kysely'

/** A process that dies at one of its steps: that step and whatever it tries afterwards throws. */
export interface Fault {
  readonly died: boolean
  db(db: Db): Db
  repositories(repositories: Repositories): Repositories
}

/** Steps are counted before and after each query and each git command, so that effects without an answer count too. */
export function dieAt(step: number): Fault {
  let steps = 0
  let died = false
  const tick = () => {
    steps += 1
    if (died || steps >= step) {
      died = true
      throw new Error('the process died here')
    }
  }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      tick()
      return node
    },
    transformResult: async ({ result }) => {
      tick()
      return result
    },
  }
  return {
    get died() {
      return died
    },
    db: (db) => db.withPlugin(plugin),
    repositories: (repositories) =>
      new Proxy(repositories, {
        get: (target, key) =>
          key === 'open'
            ? async (...args: Parameters<Repositories['open']>): Promise<Repository> => {
                const repository = await target.open(...args)
                return { ...repository, runner: watched(repository.runner, tick) }
              }
            : bound(target, key),
      }),
  }
}

function watched(runner: Repository['runner'], tick: () => void): Repository['runner'] {
  return new Proxy(runner, {
    get: (target, key) =>
      key === 'run'
        ? async (...args: Parameters<Repository['runner']['run']>) => {
            tick()
            const result = await target.run(...args)
            tick()
            return result
          }
        : bound(target, key),
  })
}

/** Methods of a class with private fields keep the object that has them. */
function bound(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key)
  return typeof value === 'function' ? value.bind(target) : value
}
