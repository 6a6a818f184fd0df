import { engineFacts, openEngine } from '../../../engine/engine.ts'
import type { DockerSettings } from '../settings.ts'

/** A machine without an engine is the usual case, and must not make a start wait. */
const timeoutMs = 2_000

/** Ready when the engine answers and has the sandboxes' base image: a person made this machine ready for it. */
export async function findBaseImage({
  SVC_DOCKER_HOST,
  SVC_DOCKER_IMAGE,
}: Pick<DockerSettings, 'SVC_DOCKER_HOST' | 'SVC_DOCKER_IMAGE'>): Promise<
  { readonly ready: true } | { readonly ready: false; readonly why: string }
> {
  try {
    const engine = await openEngine(SVC_DOCKER_HOST)
    await engineFacts(engine, SVC_DOCKER_HOST, timeoutMs)
    const image = await engine.find('Looking for the base image', () =>
      engine.docker.getImage(SVC_DOCKER_IMAGE).inspect(),
    )
    if (image !== null) return { ready: true }
    return { ready: false, why: `its engine has no image ${SVC_DOCKER_IMAGE}` }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return { ready: false, why: text.replace(/\.$/, '').replace(/^The/, 'the') }
  }
}
