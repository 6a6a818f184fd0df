import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CoreV1Event,
  CoreV1Api,
  createConfiguration,
  NetworkingV1Api,
  PatchStrategy,
  type RequestContext,
  type ResponseContext,
  ServerConfiguration,
  setHeaderOptions,
  type V1NetworkPolicy,
  type V1PersistentVolumeClaim,
  type V1Pod,
  type V1Secret,
} from '@kubernetes/client-node'
import { refusalOf } from './api-failure.ts'
import type { Connection } from './connect.ts'
import { watchPod } from './watch-pod.ts'

/** The calls of the API server that sandboxes need, in one namespace; each ends within its deadline or throws. */
export type Cluster = ReturnType<typeof openCluster>

const tries = 4
const maxPauseMs = 5_000

export function openCluster(connection: Connection, requestMs: number) {
  const { config, namespace } = connection
  const settings = createConfiguration({
    baseServer: new ServerConfiguration(connection.server, {}),
    authMethods: { default: config },
    promiseMiddleware: [
      {
        pre: async (context: RequestContext) => {
          context.setSignal(AbortSignal.timeout(requestMs))
          return context
        },
        post: async (context: ResponseContext) => context,
      },
    ],
  })
  const core = new CoreV1Api(settings)
  const networking = new NetworkingV1Api(settings)
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch)
  const at = (name: string) => ({ name, namespace })

  return {
    namespace,
    findPod: (name: string): Promise<V1Pod | null> => maybe(() => core.readNamespacedPod(at(name))),
    findClaim: (name: string): Promise<V1PersistentVolumeClaim | null> =>
      maybe(() => core.readNamespacedPersistentVolumeClaim(at(name))),
    findSecret: (name: string): Promise<V1Secret | null> => maybe(() => core.readNamespacedSecret(at(name))),
    findPolicy: (name: string): Promise<V1NetworkPolicy | null> =>
      maybe(() => networking.readNamespacedNetworkPolicy(at(name))),

    /** Null: there is one of this name. */
    createPod: (body: V1Pod) => unlessThere(() => core.createNamespacedPod({ namespace, body })),
    createClaim: (body: V1PersistentVolumeClaim) =>
      unlessThere(() => core.createNamespacedPersistentVolumeClaim({ namespace, body })),
    createSecret: (body: V1Secret) => unlessThere(() => core.createNamespacedSecret({ namespace, body })),
    createPolicy: (body: V1NetworkPolicy) =>
      unlessThere(() => networking.createNamespacedNetworkPolicy({ namespace, body })),

    /** Null: there is none. */
    replaceSecret: (name: string, body: V1Secret) =>
      maybe(() => core.replaceNamespacedSecret({ ...at(name), body })),
    replacePolicy: (name: string, body: V1NetworkPolicy) =>
      maybe(() => networking.replaceNamespacedNetworkPolicy({ ...at(name), body })),
    annotateSecret: (name: string, annotations: Record<string, string | null>) =>
      maybe(() => core.patchNamespacedSecret({ ...at(name), body: { metadata: { annotations } } }, merge)),
    annotateClaim: (name: string, annotations: Record<string, string | null>) =>
      maybe(() =>
        core.patchNamespacedPersistentVolumeClaim(
          { ...at(name), body: { metadata: { annotations } } },
          merge,
        ),
      ),

    /** Only the pod that was seen: one that was started meanwhile under the same name stays. */
    deletePod: async (name: string, uid: string): Promise<void> => {
      try {
        await maybe(() => core.deleteNamespacedPod({ ...at(name), body: { preconditions: { uid } } }))
      } catch (error) {
        if (refusalOf(error)?.code !== 409) throw error
      }
    },
    deleteClaim: (name: string) => maybe(() => core.deleteNamespacedPersistentVolumeClaim(at(name))),
    deleteSecret: (name: string) => maybe(() => core.deleteNamespacedSecret(at(name))),

    listPods: async (labelSelector: string): Promise<readonly V1Pod[]> =>
      (await retrying(() => core.listNamespacedPod({ namespace, labelSelector }))).items,
    listClaims: async (labelSelector: string): Promise<readonly V1PersistentVolumeClaim[]> =>
      (await retrying(() => core.listNamespacedPersistentVolumeClaim({ namespace, labelSelector }))).items,
    eventsOf: async (uid: string): Promise<readonly CoreV1Event[]> => {
      const fieldSelector = `involvedObject.uid=${uid},type=Warning`
      return (await retrying(() => core.listNamespacedEvent({ namespace, fieldSelector }))).items
    },
    /** Empty when there is none, or its node does not give it: no stop and no failure waits for words. */
    logOf: (name: string, container: string): Promise<string> =>
      core.readNamespacedPodLog({ ...at(name), container, tailLines: 400 }).catch(() => ''),
    watchPod: (name: string, resourceVersion: string | undefined, signal: AbortSignal) =>
      watchPod(connection, name, resourceVersion, signal),
  }
}

async function maybe<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await retrying(ask)
  } catch (error) {
    const refusal = refusalOf(error)
    // An object is gone only when the API server itself says so of this very object: neither a proxy's 404, nor one of
    // a missing namespace, may pass for a sandbox that is gone.
    if (
      refusal?.code === 404 &&
      / not found$/.test(refusal.message) &&
      !/^namespaces? /.test(refusal.message)
    )
      return null
    throw error
  }
}

async function unlessThere<T>(create: () => Promise<T>): Promise<T | null> {
  try {
    return await retrying(create)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal?.code === 409 && /already exists/.test(refusal.message)) return null
    throw error
  }
}

/** An API server that asks for a pause gets it. */
async function retrying<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal?.code !== 429 || attempt === tries) throw error
      await sleep(Math.min(refusal.retry_after_ms ?? 500 * attempt, maxPauseMs))
    }
  }
}
