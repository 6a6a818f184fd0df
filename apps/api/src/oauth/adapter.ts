import { type OAuthModel, oauthModels } from '@svc/db'
import {
  findOAuthClient,
  type OAuthContext,
  oauthLifetimes,
  type OAuthStore,
  registerOAuthClient,
} from '@svc/identity'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { checkRedirects } from './redirects.ts'
import type { Library } from './library.ts'

/** Our own names of the models that the library keeps. As it is set up here, it keeps no others. */
const kept: ReadonlySet<string> = new Set(oauthModels)

/** The lifetime of a record that the library gives no end. */
const defaultLifetime = oauthLifetimes.approval

function isKept(name: string): name is OAuthModel {
  return kept.has(name)
}

/** Keeps the library's state in the database, in a form that cannot be read there. */
export function adapterFor(
  ctx: OAuthContext,
  store: OAuthStore,
  library: Library,
): (name: string) => Adapter {
  return (name) =>
    name === 'Client' ? clientAdapter(ctx, library.errors) : artefactAdapter(store, name, library)
}

function clientAdapter(ctx: OAuthContext, errors: Library['errors']): Adapter {
  const never = () => Promise.reject(new Error('Clients are registered and found, nothing else'))
  return {
    async upsert(id, payload) {
      checkRedirects(payload, errors)
      await registerOAuthClient(ctx, id, payload)
    },
    find: (id) => findOAuthClient(ctx, id),
    findByUserCode: never,
    findByUid: never,
    consume: never,
    destroy: never,
    revokeByGrantId: never,
  }
}

function artefactAdapter(store: OAuthStore, name: string, { errors, Provider }: Library): Adapter {
  const model = () => {
    if (isKept(name)) return name
    throw new Error(`The authorization server does not keep a ${name}`)
  }
  const find = (id: string): Promise<AdapterPayload | undefined> => store.find(model(), id)
  return {
    upsert: (id, payload, seconds = defaultLifetime) => store.put(model(), id, payload, seconds),
    async find(id) {
      if (name === 'DeviceCode' && Provider.ctx?.oidc.route === 'token' && !(await store.notePoll(id)))
        throw new errors.SlowDown()
      return find(id)
    },
    findByUserCode: (code) => store.findByLookup(model(), code),
    findByUid: (uid) => store.findByLookup(model(), uid),
    async consume(id) {
      if (await store.consume(model(), id)) return
      // Two at once: the one that came second shows that the secret is not its owner's alone.
      const payload = await find(id)
      if (payload?.grantId !== undefined) await store.removeFamily(payload.grantId)
      throw new errors.InvalidGrant('already used')
    },
    // An approval ends with all that came of it.
    destroy: (id) => (name === 'Grant' ? store.removeFamily(id) : store.remove(model(), id)),
    revokeByGrantId: (grant_id) => store.removeFamily(grant_id),
  }
}
